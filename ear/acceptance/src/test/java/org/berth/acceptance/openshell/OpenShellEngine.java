package org.berth.acceptance.openshell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The rootless Podman behind the double: a workload, a supervisor and three volumes for each sandbox that is there, at a
 * socket of its own. It can keep parts of what was deleted, and fail. Source: the recorded facts, names and labels.
 */
public final class OpenShellEngine implements AutoCloseable {
    private static final String PREFIX = "/v4.0.0/libpod/";

    private final OpenShellState state;
    private final Path directory;
    private final Path socket;
    private final ServerSocketChannel server;
    private final Set<String> kept = ConcurrentHashMap.newKeySet();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile boolean failing;

    private record Reply(int status, String body) {}

    /** Below /tmp, since the paths of sockets are short. The caller gives {@link #socket} to the server's user. */
    public OpenShellEngine(OpenShellWorld world) {
        state = new OpenShellState(world.root());
        try {
            directory = Files.createTempDirectory(Path.of("/tmp"), "be").toRealPath();
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            socket = directory.resolve("engine.sock");
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public Path socket() {
        return socket;
    }

    /** The volumes of the sandbox stay behind its deletion. */
    public void keepVolumes(String id) {
        kept.add(id);
    }

    /** Somebody removed them. */
    public void removeVolumes(String id) {
        kept.remove(id);
    }

    /** From now on every answer is an error, or none is. */
    public void failing(boolean fails) {
        failing = fails;
    }

    /** What was asked for, {@code METHOD path} without the prefix. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                Thread.ofVirtual().start(() -> serve(channel));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            InputStream in = Channels.newInputStream(channel);
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                head.write(next);
            }
            String[] line = head.toString(StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElseThrow()
                    .split(" ");
            String path = line[1].startsWith(PREFIX) ? line[1].substring(PREFIX.length()) : line[1];
            asked.add(line[0] + " " + path);
            Reply reply = failing ? new Reply(500, "{}") : answer(line[0], path);
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            OutputStream out = Channels.newOutputStream(channel);
            out.write(("HTTP/1.1 " + reply.status() + " X\r\nContent-Type: application/json\r\nContent-Length: "
                            + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
        } catch (IOException e) {
            // Whoever asked went.
            Thread.yield();
        }
    }

    /** Reading only: whatever else is asked for does not exist here. */
    private Reply answer(String method, String path) throws IOException {
        if (method.equals("GET") && path.equals("containers/json?all=true")) {
            return new Reply(200, rows());
        }
        for (String id : ids()) {
            for (String container : List.of(hex("workload", id), hex("supervisor", id))) {
                if (path.equals("containers/" + container + "/json")) {
                    return new Reply(200, inspected(container, id));
                }
            }
            if (volumes(id).stream().anyMatch(volume -> path.equals("volumes/" + volume + "/json"))) {
                return new Reply(200, "{}");
            }
        }
        boolean left = kept.stream()
                .flatMap(id -> volumes(id).stream())
                .anyMatch(volume -> path.equals("volumes/" + volume + "/json"));
        return left ? new Reply(200, "{}") : new Reply(404, "{\"message\":\"no such thing\",\"response\":404}");
    }

    private String rows() throws IOException {
        List<String> rows = new ArrayList<>();
        for (OpenShellState.Sandbox sandbox : state.sandboxes()) {
            String id = sandbox.get("id");
            rows.add("{\"Id\":\"" + hex("workload", id) + "\",\"Names\":[\"" + sandbox.get("name")
                    + "\"],\"Labels\":{\"openshell.managed\":\"true\",\"openshell.ai/sandbox-id\":\"" + id
                    + "\",\"openshell.ai/isolation-role\":\"sandbox\",\"openshell.ai/sandbox-workspace\":\""
                    + sandbox.get("workspace") + "\"}}");
            rows.add("{\"Id\":\"" + hex("supervisor", id) + "\",\"Names\":[\"openshell-supervisor-" + id
                    + "\"],\"Labels\":{}}");
        }
        return "[" + String.join(",", rows) + "]";
    }

    private static String inspected(String container, String id) {
        return "{\"Id\":\"" + container + "\",\"Mounts\":["
                + String.join(
                        ",",
                        volumes(id).stream()
                                .map(volume -> "{\"Type\":\"volume\",\"Name\":\"" + volume + "\"}")
                                .toList())
                + "]}";
    }

    private List<String> ids() throws IOException {
        List<String> ids = new ArrayList<>();
        for (OpenShellState.Sandbox sandbox : state.sandboxes()) {
            ids.add(sandbox.get("id"));
        }
        return ids;
    }

    private static List<String> volumes(String id) {
        return List.of("openshell-sandbox-" + id + "-workspace", "openshell-control-" + id, "openshell-channel-" + id);
    }

    private static String hex(String part, String id) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest((part + id).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(socket);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
