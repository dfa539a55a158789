package org.berth.guest.podman;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.berth.guest.json.Json;

/**
 * The standard input and output of a command that Podman runs in a container, over its REST interface: output comes in
 * frames of eight bytes of head, the first being the stream's number and the last four the length. One thread may read
 * while another writes. Source: facts on Podman's REST interface.
 */
public final class ContainerStream implements ByteChannel {
    private static final String PREFIX = "/v4.0.0/libpod/";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,254}");
    private static final int MAX_ANSWER = 65_536;
    private static final int HEAD_BYTES = 8;
    private static final int LENGTH_AT = 4;
    private static final int STDOUT = 1;

    private final SocketChannel channel;
    private int left;
    private boolean shown;

    private ContainerStream(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Runs {@code command} in {@code container}.
     *
     * @throws IOException what Podman says, also when the container does not run
     * @throws IllegalArgumentException for what is no container's name
     */
    public static ContainerStream open(Path socket, String container, List<String> command) throws IOException {
        if (!NAME.matcher(container).matches()) {
            throw new IllegalArgumentException("not a container: " + container);
        }
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("Cmd", List.copyOf(command));
        order.put("AttachStdin", true);
        order.put("AttachStdout", true);
        order.put("AttachStderr", true);
        order.put("Tty", false);
        return start(socket, made(socket, container, order));
    }

    private static String made(Path socket, String container, Map<String, Object> order) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            // HTTP/1.0 has no chunks: the answer ends with the connection.
            writeAll(channel, request("containers/" + container + "/exec", "1.0", "", order));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(MAX_ANSWER);
            while (channel.read(buffer.clear()) >= 0 && answer.size() < MAX_ANSWER) {
                answer.write(buffer.array(), 0, buffer.position());
            }
            String text = answer.toString(StandardCharsets.UTF_8);
            int body = text.indexOf("\r\n\r\n");
            if (body < 0) {
                throw new IOException("Podman gave no answer");
            }
            Map<String, Object> tree = object(text.substring(body).strip());
            if (tree.get("Id") instanceof String id && NAME.matcher(id).matches()) {
                return id;
            }
            throw new IOException("Podman refused: " + tree.get("message"));
        }
    }

    private static Map<String, Object> object(String json) throws IOException {
        try {
            return Json.readObject(json.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException("Podman's answer cannot be read", e);
        }
    }

    private static ContainerStream start(Path socket, String id) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        try {
            Map<String, Object> order = new LinkedHashMap<>();
            order.put("Detach", false);
            order.put("Tty", false);
            writeAll(
                    channel, request("exec/" + id + "/start", "1.1", "Connection: Upgrade\r\nUpgrade: tcp\r\n", order));
            String head = head(channel);
            if (!head.startsWith("HTTP/1.1 101") && !head.startsWith("HTTP/1.1 200")) {
                throw new IOException(
                        "Podman refused: " + head.lines().findFirst().orElse(""));
            }
            return new ContainerStream(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ByteBuffer request(String path, String version, String fields, Map<String, Object> order) {
        byte[] body = Json.write(order);
        byte[] head = ("POST " + PREFIX + path + " HTTP/" + version + "\r\nHost: podman\r\n" + fields
                        + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(head.length + body.length)
                .put(head)
                .put(body)
                .flip();
    }

    private static String head(SocketChannel channel) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (text.length() < MAX_ANSWER && text.indexOf("\r\n\r\n", Math.max(0, text.length() - 4)) < 0) {
            if (channel.read(one.clear()) < 0) {
                throw new EOFException("Podman ended its answer early");
            }
            text.append((char) (one.get(0) & 0xff));
        }
        return text.toString();
    }

    /** Bytes of the standard output; what comes on the standard error goes to ours. @return -1 at the end */
    @Override
    public int read(ByteBuffer target) throws IOException {
        while (left == 0) {
            ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
            while (head.hasRemaining()) {
                if (channel.read(head) < 0) {
                    return -1;
                }
            }
            shown = head.get(0) == STDOUT;
            left = head.getInt(LENGTH_AT);
            if (left < 0) {
                throw new IOException("Podman sent no frame");
            }
        }
        ByteBuffer part = ByteBuffer.allocate(Math.min(left, target.remaining()));
        int count = channel.read(part);
        if (count < 0) {
            return -1;
        }
        left -= count;
        if (shown) {
            target.put(part.flip());
            return count;
        }
        System.err.write(part.array(), 0, count);
        return 0;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    private static void writeAll(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
