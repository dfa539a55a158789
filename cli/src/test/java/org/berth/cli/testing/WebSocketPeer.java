package org.berth.cli.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The server's side of one WebSocket: whole frames below 64 KiB. Source: RFC 6455, section 5. */
public final class WebSocketPeer {
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;

    private final String target;
    private final InputStream in;
    private final OutputStream out;

    private boolean ended;

    WebSocketPeer(String target, InputStream in, OutputStream out) {
        this.target = target;
        this.in = in;
        this.out = out;
    }

    /** Path and query of the handshake. */
    public String target() {
        return target;
    }

    public void text(String json) throws IOException {
        send(TEXT, json.getBytes(StandardCharsets.UTF_8));
    }

    /** An output chunk of stream 1, 2 or 3. */
    public void output(int stream, long sequence, byte[] data) throws IOException {
        chunk(stream, 0, sequence, data);
    }

    public void output(int stream, long sequence, String data) throws IOException {
        output(stream, sequence, data.getBytes(StandardCharsets.UTF_8));
    }

    public void eof(int stream, long sequence) throws IOException {
        chunk(stream, 1, sequence, new byte[0]);
    }

    /** Ends stdout and stderr after {@code last} chunks, and tells {@code exit}, such as {@code "code":7}. */
    public void end(long last, String exit) throws IOException {
        eof(1, last + 1);
        eof(2, last + 2);
        text("{\"type\":\"exit\"," + exit + ",\"uncertain\":false}");
        awaitAck(last + 2);
        ended = true;
    }

    /** Whether {@link #end} was played: the client is to read all of it. */
    boolean hasEnded() {
        return ended;
    }

    public void close(int code) throws IOException {
        send(CLOSE, ByteBuffer.allocate(2).putShort((short) code).array());
    }

    /** The next frame of the client: text as it is, binary as {@code id:text}; null when the client closed. */
    public String receive() throws IOException {
        while (true) {
            int first = in.read();
            if (first < 0) {
                return null;
            }
            int opcode = first & 0x0f;
            byte[] payload = payload();
            switch (opcode) {
                case TEXT -> {
                    return new String(payload, StandardCharsets.UTF_8);
                }
                case BINARY -> {
                    return HexFormat.of().formatHex(payload, 1, 17) + ":"
                            + new String(payload, 17, payload.length - 17, StandardCharsets.UTF_8);
                }
                case CLOSE -> {
                    return null;
                }
                default -> {}
            }
        }
    }

    /** Reads until everything through {@code sequence} is acknowledged. */
    public void awaitAck(long sequence) throws IOException {
        String wanted = "\"consumed_through\":" + sequence + "}";
        for (String frame = receive(); !frame.endsWith(wanted); frame = receive()) {
            // earlier acknowledgements
        }
    }

    private byte[] payload() throws IOException {
        int length = in.read() & 0x7f;
        if (length == 126) {
            length = in.read() << 8 | in.read();
        } else if (length == 127) {
            throw new IOException("a longer frame than the tests need");
        }
        byte[] mask = in.readNBytes(4);
        byte[] payload = in.readNBytes(length);
        if (mask.length < 4 || payload.length < length) {
            throw new EOFException();
        }
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return payload;
    }

    private void chunk(int stream, int flags, long sequence, byte[] data) throws IOException {
        send(
                BINARY,
                ByteBuffer.allocate(10 + data.length)
                        .put((byte) stream)
                        .put((byte) flags)
                        .putLong(sequence)
                        .put(data)
                        .array());
    }

    private void send(int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(4 + payload.length).put((byte) (0x80 | opcode));
        if (payload.length < 126) {
            frame.put((byte) payload.length);
        } else {
            frame.put((byte) 126).putShort((short) payload.length);
        }
        frame.put(payload).flip();
        out.write(frame.array(), 0, frame.limit());
        out.flush();
    }
}
