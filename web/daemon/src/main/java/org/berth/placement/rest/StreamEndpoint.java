package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.websocket.CloseReason;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.access.Caller;
import org.berth.access.security.BearerPrincipal;
import org.berth.json.StrictJson;
import org.berth.placement.Attempt;
import org.berth.placement.InputOutcome;
import org.berth.placement.TerminalSize;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.Failures;
import org.berth.placement.service.InputService;
import org.berth.placement.service.LiveStreams;
import org.berth.problem.BerthException;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** The live stream of one attempt: output down; acknowledgement, input and size up. Source: api.md, Stream. */
@ServerEndpoint(
        value = "/api/placement/attempts/{id}/stream",
        subprotocols = StreamHandshake.SUBPROTOCOL,
        configurator = StreamHandshake.class)
public class StreamEndpoint {
    private static final Logger LOG = Logger.getLogger(StreamEndpoint.class.getName());
    private static final int BINARY_INPUT = 0x10;
    private static final int WRITE_ID_BYTES = 16;
    private static final int MAX_MESSAGE = 2 * InputResource.MAX_WRITE_BYTES;
    private static final String STATE = "berth.stream";

    @Inject
    private AttemptReader reader;

    @Inject
    private InputService inputs;

    @Inject
    private LiveStreams streams;

    @Inject
    private OpenStreams open;

    /** What one connection is about. */
    record Connected(Caller caller, Attempt attempt, long generation, StreamConnection connection) {}

    @OnOpen
    public void open(Session session, @PathParam("id") String id) {
        session.setMaxBinaryMessageBufferSize(MAX_MESSAGE);
        session.setMaxTextMessageBufferSize(MAX_MESSAGE);
        StreamConnection connection = new StreamConnection(session);
        try {
            if (!(session.getUserPrincipal() instanceof BearerPrincipal principal)) {
                connection.close(StreamConnection.CLOSE_UNAUTHENTICATED, "unauthenticated");
                return;
            }
            Attempt attempt = reader.visible(principal.caller(), id);
            long generation = generation(session);
            if (generation != attempt.attachmentGeneration()) {
                connection.fenced(attempt.attachmentGeneration());
                return;
            }
            Connected connected = new Connected(principal.caller(), attempt, generation, connection);
            session.getUserProperties().put(STATE, connected);
            open.add(connected);
            Map<String, Object> attached = new LinkedHashMap<>();
            attached.put("type", "attached");
            attached.put("attempt_id", attempt.attemptId());
            attached.put("generation", generation);
            connection.json(attached);
            streams.connect(attempt, generation, connection);
        } catch (RuntimeException e) {
            refuse(connection, Failures.unwrap(e));
        }
    }

    private static long generation(Session session) {
        List<String> values = session.getRequestParameterMap().getOrDefault("generation", List.of());
        return Fields.queryNumber("generation", values.isEmpty() ? null : values.getFirst(), -1, 0, Long.MAX_VALUE);
    }

    private static void refuse(StreamConnection connection, BerthException problem) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", "error");
        tree.put("code", problem.code().wire());
        tree.put("error", problem.getMessage());
        connection.json(tree);
        connection.close(4000 + problem.code().status(), problem.code().wire());
    }

    @OnMessage
    public void text(Session session, String message) {
        Connected connected = connected(session);
        if (connected == null) {
            return;
        }
        try {
            JsonTree tree = new JsonTree(StrictJson.object(message));
            Object type = tree.members().get("type");
            switch (type instanceof String word ? word : "") {
                case "ack" -> {
                    Fields fields = Fields.of(tree, "type", "consumed_through");
                    long through = fields.whole("consumed_through", 0, Long.MAX_VALUE);
                    if (!connected.connection().acknowledge(through)) {
                        inputs.acknowledge(connected.attempt(), connected.generation(), through);
                    }
                }
                case "input" -> {
                    Fields fields = Fields.of(tree, "type", "write_id", "data");
                    write(
                            connected,
                            InputResource.requireWriteId(fields.text("write_id", 64)),
                            InputResource.decode(fields.text("data", MAX_MESSAGE)));
                }
                case "close_stdin" -> {
                    Fields.of(tree, "type");
                    inputs.closeStdin(connected.caller(), connected.attempt().attemptId());
                }
                case "resize" -> {
                    Fields fields = Fields.of(tree, "type", "rows", "cols");
                    TerminalSize size =
                            new TerminalSize((int) fields.whole("rows", 1, 1000), (int) fields.whole("cols", 1, 1000));
                    inputs.resize(connected.caller(), connected.attempt().attemptId(), connected.generation(), size);
                }
                default -> throw BerthException.invalid("type must be ack, input, close_stdin or resize");
            }
            open.requireToken(connected);
        } catch (RuntimeException e) {
            refuse(connected.connection(), Failures.unwrap(e));
        }
    }

    @OnMessage
    public void binary(Session session, ByteBuffer message) {
        Connected connected = connected(session);
        if (connected == null) {
            return;
        }
        try {
            if (message.remaining() < 1 + WRITE_ID_BYTES || message.get() != BINARY_INPUT) {
                throw BerthException.invalid("a binary frame is 0x10, 16 bytes of write id, then the data");
            }
            byte[] writeId = new byte[WRITE_ID_BYTES];
            message.get(writeId);
            byte[] data = new byte[message.remaining()];
            message.get(data);
            if (data.length > InputResource.MAX_WRITE_BYTES) {
                throw BerthException.invalid("data is over " + InputResource.MAX_WRITE_BYTES + " bytes");
            }
            write(connected, HexFormat.of().formatHex(writeId), data);
            open.requireToken(connected);
        } catch (RuntimeException e) {
            refuse(connected.connection(), Failures.unwrap(e));
        }
    }

    private void write(Connected connected, String writeId, byte[] data) {
        inputs.write(connected.caller(), connected.attempt().attemptId(), connected.generation(), writeId, data)
                .whenComplete((outcome, failure) -> connected
                        .connection()
                        .json(InputResource.acknowledgement(
                                writeId,
                                failure == null
                                        ? outcome
                                        : new InputOutcome(false, connected.generation(), "uncertain"))));
    }

    @OnClose
    public void close(Session session, CloseReason reason) {
        Connected connected = connected(session);
        if (connected != null) {
            open.remove(connected);
            streams.disconnect(connected.attempt(), connected.connection());
        }
    }

    @OnError
    public void failed(Session session, Throwable failure) {
        LOG.log(Level.FINE, "a stream failed", failure);
    }

    private static Connected connected(Session session) {
        return session.getUserProperties().get(STATE) instanceof Connected connected ? connected : null;
    }
}
