package org.berth.engine;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * HTTP/1.1 to a service at a Unix socket, one connection for each request. java.net.http has no Unix sockets, and the
 * libraries that have them know no upgrade to a raw stream. Source: RFC 9112; facts on Podman's REST interface.
 */
public final class EngineHttp {
    /** Bound of an answer: {@value} bytes. Source: the reference's inventory. */
    public static final int MAX_BODY = 2 * 1024 * 1024;

    private static final int MAX_HEAD = 65_536;
    private static final int FIRST_SUCCESS = 200;
    private static final int UPGRADED = 101;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int HEX = 16;

    private final Path socket;

    public EngineHttp(Path socket) {
        this.socket = socket;
    }

    public Path socket() {
        return socket;
    }

    /**
     * An answer with its whole body.
     *
     * @param fields of its head, by their names in lower case
     */
    public record Reply(int status, Map<String, String> fields, byte[] body) {}

    /** A stream that took over its connection. {@code early} came with the answer's head. */
    record Upgraded(int status, TimedChannel channel, ByteBuffer early) {}

    /**
     * @param target path and query, encoded
     * @param body null for none
     * @param type the body's media type
     * @throws IOException when the answer is late, over its bound or none; what was asked for may have happened
     */
    public Reply send(String method, String target, String type, byte[] body, int timeoutMillis) throws IOException {
        try (TimedChannel channel = TimedChannel.connect(socket, timeoutMillis)) {
            channel.write(head(method, target, type, body, "Connection: close\r\n"));
            Input input = new Input(channel);
            Head head = finalHead(input);
            return new Reply(head.status, head.fields, body(input, head, method));
        }
    }

    /** Asks that the connection become a raw stream; the caller closes its channel. */
    Upgraded upgrade(String target, byte[] body, int timeoutMillis) throws IOException {
        TimedChannel channel = TimedChannel.connect(socket, timeoutMillis);
        try {
            channel.write(head("POST", target, "application/json", body, "Connection: Upgrade\r\nUpgrade: tcp\r\n"));
            Input input = new Input(channel);
            Head head = read(input);
            if (head.status != UPGRADED && head.status != FIRST_SUCCESS) {
                throw new IOException("the engine refused the stream with " + head.status + " "
                        + new String(body(input, head, "POST"), StandardCharsets.UTF_8));
            }
            return new Upgraded(head.status, channel, input.buffer);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ByteBuffer head(String method, String target, String type, byte[] body, String connection) {
        StringBuilder text = new StringBuilder()
                .append(method)
                .append(' ')
                .append(target)
                .append(" HTTP/1.1\r\nHost: podman\r\n")
                .append(connection);
        if (body != null) {
            text.append("Content-Type: ").append(type).append("\r\n");
        }
        byte[] content = body == null ? new byte[0] : body;
        text.append("Content-Length: ").append(content.length).append("\r\n\r\n");
        byte[] head = text.toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(head.length + content.length)
                .put(head)
                .put(content)
                .flip();
    }

    /** Status and fields; names in lower case. */
    private record Head(int status, Map<String, String> fields) {}

    private static Head finalHead(Input input) throws IOException {
        Head head = read(input);
        while (head.status < FIRST_SUCCESS) {
            head = read(input);
        }
        return head;
    }

    private static Head read(Input input) throws IOException {
        String line = input.line();
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/1.")) {
            throw new IOException("the engine does not speak HTTP/1.1");
        }
        Map<String, String> fields = new TreeMap<>();
        int bytes = line.length();
        for (String field = input.line(); !field.isEmpty(); field = input.line()) {
            bytes += field.length();
            int colon = field.indexOf(':');
            if (colon < 1 || bytes > MAX_HEAD) {
                throw new IOException("the engine's answer has no readable head");
            }
            fields.put(
                    field.substring(0, colon).toLowerCase(Locale.ROOT),
                    field.substring(colon + 1).strip());
        }
        return new Head(number(parts[1], 10), fields);
    }

    private static byte[] body(Input input, Head head, String method) throws IOException {
        if (head.status == NO_CONTENT || head.status == NOT_MODIFIED || method.equals("HEAD")) {
            return new byte[0];
        }
        if ("chunked".equalsIgnoreCase(head.fields.get("transfer-encoding"))) {
            return chunks(input);
        }
        String length = head.fields.get("content-length");
        if (length != null) {
            return input.exactly(bounded(number(length, 10), 0));
        }
        return input.rest();
    }

    private static byte[] chunks(Input input) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int size = chunkSize(input);
        while (size > 0) {
            bounded(size, whole.size());
            whole.writeBytes(input.exactly(size));
            input.line();
            size = chunkSize(input);
        }
        while (!input.line().isEmpty()) {
            // Trailers say nothing here.
        }
        return whole.toByteArray();
    }

    private static int chunkSize(Input input) throws IOException {
        return number(input.line().split(";", 2)[0].strip(), HEX);
    }

    private static int number(String text, int radix) throws IOException {
        try {
            return Integer.parseUnsignedInt(text, radix);
        } catch (NumberFormatException e) {
            throw new IOException("the engine's answer has no readable number", e);
        }
    }

    private static int bounded(int size, int before) throws IOException {
        if (size < 0 || size > MAX_BODY - before) {
            throw new IOException("the engine's answer is over its bound of " + MAX_BODY + " bytes");
        }
        return size;
    }

    /** Buffered reading. */
    private static final class Input {
        private static final int CHUNK = 16_384;

        private final TimedChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).limit(0);

        Input(TimedChannel channel) {
            this.channel = channel;
        }

        /** A line without its end, of at most {@value #CHUNK} characters. */
        String line() throws IOException {
            StringBuilder text = new StringBuilder();
            for (int next = next(); next != '\n'; next = next()) {
                if (next < 0) {
                    throw new EOFException("the engine ended its answer early");
                }
                if (text.length() == CHUNK) {
                    throw new IOException("the engine's answer has no readable head");
                }
                text.append((char) next);
            }
            int end = text.length();
            return end > 0 && text.charAt(end - 1) == '\r' ? text.substring(0, end - 1) : text.toString();
        }

        private int next() throws IOException {
            return buffer.hasRemaining() || fill() ? buffer.get() & 0xff : -1;
        }

        private boolean fill() throws IOException {
            boolean more = channel.read(buffer.clear());
            buffer.flip();
            return more;
        }

        byte[] exactly(int size) throws IOException {
            byte[] bytes = new byte[size];
            int early = Math.min(size, buffer.remaining());
            buffer.get(bytes, 0, early);
            channel.readFully(ByteBuffer.wrap(bytes, early, size - early));
            return bytes;
        }

        byte[] rest() throws IOException {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            do {
                bounded(buffer.remaining(), whole.size());
                whole.write(buffer.array(), buffer.position(), buffer.remaining());
            } while (fill());
            return whole.toByteArray();
        }
    }
}
