package org.berth.bench;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A WebSocket client of the stream (RFC 6455, version 13) that reads output frames and acknowledges them. One thread.
 */
final class StreamClient implements AutoCloseable {
    private static final int OUTPUT_HEADER = 10;
    private static final int FLAG_EOF = 1;
    /** Of a child with pipes: stdout and stderr. */
    private static final int STREAMS = 2;

    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int FINAL = 0x80;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;
    private byte[] message = new byte[64 * 1024];
    private int length;
    private long sequence;
    private String text = "";
    private boolean exitTold;
    private int endedStreams;

    StreamClient(Target target, String path) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setReceiveBufferSize(1024 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 256 * 1024));
        out = socket.getOutputStream();
        String key = Base64.getEncoder().encodeToString("berth-bench-key!".getBytes(StandardCharsets.US_ASCII));
        String head = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + target.port() + "\r\nAuthorization: Bearer "
                + target.token() + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
                + "\r\nSec-WebSocket-Protocol: berth.stream.1\r\nSec-WebSocket-Key: " + key + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.ISO_8859_1));
        String status = HttpConnection.line(in);
        if (!status.contains(" 101 ")) {
            throw new BenchmarkException("the stream was refused: " + status);
        }
        while (!HttpConnection.line(in).isEmpty()) {
            continue;
        }
        awaitText("attached");
    }

    private void awaitText(String type) throws IOException {
        while (!next() || text.isEmpty() || !text.contains("\"" + type + "\"")) {
            continue;
        }
    }

    /** Output bytes of the next output frame, 0 at a stream's end; -1 once both streams ended and the exit was told. */
    int nextOutput() throws IOException {
        while (!(exitTold && endedStreams == STREAMS) && next()) {
            if (text.isEmpty()) {
                endedStreams += (message[1] & FLAG_EOF) != 0 ? 1 : 0;
                return length - OUTPUT_HEADER;
            }
            exitTold |= text.contains("\"exit\"");
        }
        return -1;
    }

    /** The newest output's sequence. */
    long sequence() {
        return sequence;
    }

    byte[] output() {
        return java.util.Arrays.copyOfRange(message, OUTPUT_HEADER, length);
    }

    void acknowledge(long through) throws IOException {
        send(TEXT, ("{\"type\":\"ack\",\"consumed_through\":" + through + "}").getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes to the child's standard input. {@code writeId}: 16 bytes. */
    void input(byte[] writeId, byte[] data) throws IOException {
        byte[] frame = new byte[1 + writeId.length + data.length];
        frame[0] = 0x10;
        System.arraycopy(writeId, 0, frame, 1, writeId.length);
        System.arraycopy(data, 0, frame, 1 + writeId.length, data.length);
        send(BINARY, frame);
    }

    /** Client frames are masked; a mask of zeros leaves the bytes as they are. */
    private void send(int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
        frame.put((byte) (FINAL | opcode));
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        }
        frame.putInt(0).put(payload);
        out.write(frame.array(), 0, frame.position());
    }

    /** Reads one whole message. Answers false when the server closed the stream. */
    private boolean next() throws IOException {
        length = 0;
        int kind = 0;
        boolean last;
        do {
            int head = in.readUnsignedByte();
            int opcode = head & 0x0f;
            last = (head & FINAL) != 0;
            int size = in.readUnsignedByte() & 0x7f;
            if (size == 126) {
                size = in.readUnsignedShort();
            } else if (size == 127) {
                size = Math.toIntExact(in.readLong());
            }
            if (opcode == CLOSE) {
                return false;
            }
            kind = opcode == 0 ? kind : opcode;
            if (message.length < length + size) {
                message = java.util.Arrays.copyOf(message, (length + size) * 2);
            }
            in.readFully(message, length, size);
            length += size;
            if (opcode == PING) {
                last = false;
                length -= size;
            }
        } while (!last);
        text = kind == TEXT ? new String(message, 0, length, StandardCharsets.UTF_8) : "";
        if (kind == BINARY) {
            sequence = ByteBuffer.wrap(message, 2, 8).getLong();
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
