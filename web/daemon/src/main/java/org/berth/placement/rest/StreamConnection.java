package org.berth.placement.rest;

import jakarta.websocket.CloseReason;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.json.JsonText;
import org.berth.placement.Exit;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;

/**
 * The server's half of one WebSocket: frames leave in order, the next once the previous was sent, so that a slow
 * client holds no thread. What waits here is bounded by the outstanding chunks of the supervisor. Source: api.md,
 * Stream.
 */
final class StreamConnection implements OutputRecipient, SendHandler {
    /** Closes after a newer recipient took over. Source: api.md, Stream. */
    static final int CLOSE_FENCED = 4409;
    /** Closes when the way to the supervisor is lost; the client connects again with the same generation. */
    static final int CLOSE_LOST = 4503;
    /** Closes when the token no longer holds. */
    static final int CLOSE_UNAUTHENTICATED = 4401;

    static final int HEADER_BYTES = 10;
    private static final int FLAG_EOF = 1;
    private static final int FLAG_TRUNCATED = 2;
    private static final Logger LOG = Logger.getLogger(StreamConnection.class.getName());

    /** A frame to send, or the reason to close once what came before it is sent. */
    private sealed interface Outgoing {
        record Text(String text) implements Outgoing {}

        record Binary(ByteBuffer bytes) implements Outgoing {}

        record Close(CloseReason reason) implements Outgoing {}
    }

    private final Session session;
    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
    private volatile LongConsumer acknowledgement;
    private boolean sending;
    private boolean closed;
    private boolean exitTold;

    StreamConnection(Session session) {
        this.session = session;
    }

    @Override
    public void receiving(LongConsumer acknowledge) {
        acknowledgement = acknowledge;
    }

    /** Passes the client's word on. Answers false while nothing can have been received here. */
    boolean acknowledge(long consumedThrough) {
        LongConsumer known = acknowledgement;
        if (known == null) {
            return false;
        }
        known.accept(consumedThrough);
        return true;
    }

    @Override
    public void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + data.length);
        frame.put((byte) stream.code());
        frame.put((byte) ((eof ? FLAG_EOF : 0) | (truncated ? FLAG_TRUNCATED : 0)));
        frame.putLong(sequence);
        frame.put(data);
        send(new Outgoing.Binary(frame.flip()));
    }

    @Override
    public void exited(Exit exit) {
        synchronized (this) {
            if (exitTold) {
                return;
            }
            exitTold = true;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", "exit");
        switch (exit) {
            case Exit.Exited exited -> tree.put("code", exited.code());
            case Exit.Signalled signalled -> tree.put("signal", signalled.signal());
            case Exit.Unknown unknown -> tree.put("reason", unknown.reason());
        }
        tree.put("uncertain", exit instanceof Exit.Unknown);
        json(tree);
    }

    @Override
    public void fenced(long generation) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", "fenced");
        tree.put("generation", generation);
        json(tree);
        close(CLOSE_FENCED, "fenced");
    }

    @Override
    public void lost() {
        close(CLOSE_LOST, "supervisor lost");
    }

    void json(Map<String, Object> tree) {
        send(new Outgoing.Text(JsonText.write(tree)));
    }

    void close(int code, String reason) {
        send(new Outgoing.Close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code), reason)));
    }

    private void send(Outgoing frame) {
        synchronized (this) {
            if (closed) {
                return;
            }
            waiting.add(frame);
            if (sending) {
                return;
            }
            sending = true;
        }
        sendNext();
    }

    private void sendNext() {
        Outgoing next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null || closed) {
                sending = false;
                return;
            }
            closed = next instanceof Outgoing.Close;
        }
        switch (next) {
            case Outgoing.Text text -> session.getAsyncRemote().sendText(text.text(), this);
            case Outgoing.Binary binary -> session.getAsyncRemote().sendBinary(binary.bytes(), this);
            case Outgoing.Close close -> {
                try {
                    session.close(close.reason());
                } catch (IOException e) {
                    LOG.log(Level.FINE, "a stream was already gone", e);
                }
            }
        }
    }

    @Override
    public void onResult(SendResult result) {
        if (result.isOK()) {
            sendNext();
            return;
        }
        synchronized (this) {
            closed = true;
            waiting.clear();
        }
        LOG.log(Level.FINE, "a stream's client is gone", result.getException());
    }
}
