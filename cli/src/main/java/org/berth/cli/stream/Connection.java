package org.berth.cli.stream;

import jakarta.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.berth.cli.Failure;
import org.berth.cli.api.Json;

/**
 * One WebSocket: frames in become events in a queue, one by one as they are taken; frames out go one after the other.
 */
final class Connection implements WebSocket.Listener {
    private static final int HEADER = 10;
    private static final int FLAG_EOF = 1;
    private static final int FLAG_TRUNCATED = 2;
    private static final long SEND_SECONDS = 30;
    /** For what arrived before a connection broke; more than a busy machine takes to hand it over. */
    private static final long ARRIVED_SECONDS = 2;
    /** No generation is negative, so that nobody takes it for his own. */
    private static final long UNTOLD = -1;

    /** Frames asked for ahead of their use; the server has at most 16 chunks under way. Source: placement.md, Output. */
    private static final int AHEAD = 16;

    private final BlockingQueue<StreamEvent> events = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
    private final StringBuilder text = new StringBuilder();
    private volatile WebSocket socket;

    void opened(WebSocket opened) {
        socket = opened;
    }

    /** The next event; null when none came within {@code wait}. */
    StreamEvent next(Duration wait) {
        try {
            StreamEvent event = events.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
            if (event != null && !(event instanceof StreamEvent.Lost)) {
                socket.request(1);
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted.", null);
        }
    }

    /** Nothing waits to be taken. */
    boolean idle() {
        return events.isEmpty();
    }

    /** @return false when the connection is lost; its {@code Lost} event follows what arrived before */
    boolean send(JsonObject frame) {
        return send(() -> socket.sendText(frame.toString(), true));
    }

    /** @return as {@link #send(JsonObject)} */
    boolean send(ByteBuffer frame) {
        return send(() -> socket.sendBinary(frame, true));
    }

    /** Asks the other side for a sign of life; the answer is an event. */
    boolean ping() {
        return send(() -> socket.sendPing(ByteBuffer.allocate(0)));
    }

    /** Says goodbye; waits a moment for the frame to leave. Its {@code Lost} event follows, so that nobody waits on. */
    void close() {
        if (socket != null && !socket.isOutputClosed()) {
            send(() -> socket.sendClose(WebSocket.NORMAL_CLOSURE, ""));
            drop();
        }
    }

    private synchronized boolean send(Supplier<CompletableFuture<WebSocket>> frame) {
        try {
            frame.get().get(SEND_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException | IllegalStateException e) {
            // A command that ends closes the stream while something is sent to it; its end may be on the way to onText.
            CompletableFuture.delayedExecutor(ARRIVED_SECONDS, TimeUnit.SECONDS).execute(this::drop);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted.", null);
        }
    }

    /** Ends it without a goodbye. */
    void drop() {
        socket.abort();
        events.add(new StreamEvent.Lost(0));
    }

    @Override
    public void onOpen(WebSocket opened) {
        opened.request(AHEAD);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        byte[] part = new byte[data.remaining()];
        data.get(part);
        binary.writeBytes(part);
        if (last) {
            byte[] frame = binary.toByteArray();
            binary.reset();
            offer(from, () -> output(frame));
        } else {
            from.request(1);
        }
        return null;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            String frame = text.toString();
            text.setLength(0);
            offer(from, () -> message(frame));
        } else {
            from.request(1);
        }
        return null;
    }

    @Override
    public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        events.add(new StreamEvent.Other());
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        events.add(new StreamEvent.Lost(code));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        events.add(new StreamEvent.Lost(0));
    }

    private void offer(WebSocket from, Supplier<StreamEvent> frame) {
        StreamEvent event;
        try {
            event = frame.get();
        } catch (IllegalArgumentException e) {
            from.abort();
            event = new StreamEvent.Lost(0);
        }
        events.add(event);
    }

    private static StreamEvent output(byte[] frame) {
        if (frame.length < HEADER) {
            throw new IllegalArgumentException("an output frame has a header of " + HEADER + " bytes");
        }
        ByteBuffer buffer = ByteBuffer.wrap(frame);
        OutputStreamName stream = OutputStreamName.of(buffer.get());
        int flags = buffer.get();
        long sequence = buffer.getLong();
        byte[] data = new byte[buffer.remaining()];
        buffer.get(data);
        return new StreamEvent.Output(stream, (flags & FLAG_EOF) != 0, (flags & FLAG_TRUNCATED) != 0, sequence, data);
    }

    private static StreamEvent message(String frame) {
        JsonObject json = Json.parse(frame).orElseThrow(() -> new IllegalArgumentException("not a JSON object"));
        return switch (Json.text(json, "type")) {
            case "input_ack" ->
                new StreamEvent.InputAck(
                        Json.text(json, "write_id"), json.getBoolean("accepted", false), Json.text(json, "reason"));
            case "exit" ->
                new StreamEvent.Exited(json.getBoolean("uncertain", false) ? new Ending.Unknown() : Ending.of(json));
            case "fenced" ->
                new StreamEvent.Fenced(Json.number(json, "generation").orElse(UNTOLD));
            case null, default -> new StreamEvent.Other();
        };
    }
}
