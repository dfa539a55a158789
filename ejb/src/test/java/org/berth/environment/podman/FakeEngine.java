package org.berth.environment.podman;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.berth.engine.Engine;

/**
 * An engine at a Unix socket that answers what a test lays down for a method and path; everything else is 404, as the
 * facts have it.
 */
public final class FakeEngine implements AutoCloseable {
    /** What is written, byte for byte, and whether the connection stays open after it. */
    private record Reply(byte[] bytes, boolean open) {}

    private static final int ORDINARY = 1234;

    private final Path socket;
    private final ServerSocketChannel server;
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<SocketChannel> connections = new ArrayList<>();

    public FakeEngine(Path socket) throws IOException {
        this.socket = socket;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofVirtual().start(this::accept);
    }

    public Path socket() {
        return socket;
    }

    /** Gives the socket to an ordinary user: ours, or another one where we are root. @return that user */
    public int ordinaryOwner() throws IOException {
        if (owner() == 0) {
            Files.setAttribute(socket, "unix:uid", ORDINARY);
        }
        return owner();
    }

    private int owner() throws IOException {
        return (Integer) Files.getAttribute(socket, "unix:uid");
    }

    /** Requests that came, {@code METHOD target}. */
    public List<String> asked() {
        return asked;
    }

    /** Lays down a JSON answer for {@code METHOD path}, the path without the prefix. */
    public FakeEngine json(String request, int status, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return raw(
                request,
                "HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                        + "\r\n\r\n" + body);
    }

    public FakeEngine raw(String request, String text) {
        replies.put(request, new Reply(text.getBytes(StandardCharsets.ISO_8859_1), false));
        return this;
    }

    /** The same, and the connection stays open. */
    public FakeEngine open(String request, byte[] bytes) {
        replies.put(request, new Reply(bytes, true));
        return this;
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                synchronized (connections) {
                    connections.add(channel);
                }
                Thread.ofVirtual().start(() -> serve(channel));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(SocketChannel channel) {
        try {
            InputStream in = Channels.newInputStream(channel);
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                head.write(next);
            }
            String text = head.toString(StandardCharsets.US_ASCII);
            in.readNBytes(Integer.parseInt(text.replaceFirst("(?s).*Content-Length: (\\d+).*", "$1")));
            String[] line = text.lines().findFirst().orElseThrow().split(" ");
            String request = line[0] + " " + line[1].replaceFirst("^" + Engine.PREFIX, "");
            asked.add(request);
            Reply reply = replies.get(request);
            if (reply == null) {
                json("missing", 404, "{\"cause\":\"no such thing\",\"message\":\"no such thing\",\"response\":404}");
                reply = replies.get("missing");
            }
            OutputStream out = Channels.newOutputStream(channel);
            out.write(reply.bytes());
            out.flush();
            if (!reply.open()) {
                channel.close();
            }
        } catch (IOException e) {
            // The client went: what a test of bounds does.
            Thread.yield();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        synchronized (connections) {
            for (SocketChannel each : connections) {
                each.close();
            }
        }
    }
}
