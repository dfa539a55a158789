package org.berth.cli.stream;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.cli.Failure;
import org.berth.cli.api.Json;

/**
 * The writes that are under way. A write keeps its id until it is acknowledged, so that sending it again over a new
 * connection writes it once; order is kept. Guarded by its own monitor, never held while a frame is being sent.
 */
final class InputWindow {
    /** Writes that may wait for their acknowledgement. */
    private static final int WINDOW = 8;

    private static final byte INPUT_FRAME = 0x10;
    private static final int ID_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<String, byte[]> waiting = new LinkedHashMap<>();
    private boolean closing;
    private String refusal;

    /** Waits for room, then takes {@code data} in. @return the write's id; null when input is refused for good */
    synchronized String take(byte[] data) {
        await(WINDOW - 1);
        if (refusal != null) {
            return null;
        }
        byte[] id = new byte[ID_BYTES];
        RANDOM.nextBytes(id);
        String writeId = HexFormat.of().formatHex(id);
        waiting.put(writeId, data);
        return writeId;
    }

    /** Waits until every write is answered; from then on stdin is to be closed. */
    synchronized void finish() {
        await(0);
        closing = true;
    }

    synchronized void answered(StreamEvent.InputAck ack) {
        waiting.remove(ack.writeId());
        if (!ack.accepted()) {
            refusal = ack.reason() == null ? "refused" : ack.reason();
            waiting.clear();
        }
        notifyAll();
    }

    /** No more input is wanted. */
    synchronized void stop() {
        if (refusal == null) {
            refusal = "exited";
        }
        waiting.clear();
        notifyAll();
    }

    /** Sends what is not answered, oldest first, and the close when it is due. */
    void replay(Connection connection) {
        Map<String, byte[]> again;
        boolean close;
        synchronized (this) {
            again = new LinkedHashMap<>(waiting);
            close = closing && refusal == null;
        }
        again.forEach((id, data) -> connection.send(frame(id, data)));
        if (close) {
            connection.send(Json.object().add("type", "close_stdin").build());
        }
    }

    static ByteBuffer frame(String writeId, byte[] data) {
        return ByteBuffer.allocate(1 + ID_BYTES + data.length)
                .put(INPUT_FRAME)
                .put(HexFormat.of().parseHex(writeId))
                .put(data)
                .flip();
    }

    private void await(int atMost) {
        try {
            while (refusal == null && waiting.size() > atMost) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted.", null);
        }
    }
}
