package org.berth.guest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.launch.ResidentOptions;
import org.berth.guest.os.OwnProcess;
import org.berth.guest.request.Request;
import org.berth.guest.request.Requests;

/**
 * Answers each kind of request once and lives one short life of the resident helper, so that the build can record what a
 * start loads. Its one argument is a directory for the run. Used by the build only.
 */
final class Training {
    private static final String ID = "00000000-0000-4000-8000-000000000000";
    private static final String SHA256_OF_X = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

    private Training() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        OwnProcess.hide();
        Path directory = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
        String root = Files.createTempDirectory(directory.toRealPath(), "root").toString();
        oneShots(root);
        resident(root);
    }

    private static void oneShots(String root) throws IOException, InterruptedException {
        Requests requests = new Requests(new GuestFiles(root), Map.of("ANTHROPIC_API_KEY", "training"));
        put(requests, "work/a", "x");
        put(requests, "control/in", "x");
        put(
                requests,
                "control/launch.pending.json",
                "{\"version\":1,\"bindingId\":\"b\",\"generation\":\"g\",\"nativeId\":\"" + ID
                        + "\",\"files\":[{\"path\":\"work/a\",\"bytes\":1,\"sha256\":\"" + SHA256_OF_X
                        + "\"}],\"x\":[1.5,true,false,null]}");
        put(
                requests,
                "control/activity.json",
                "{\"OPENRIG_URL\":\"u\",\"OPENRIG_ACTIVITY_HOOK_TOKEN\":\"t\",\"OPENRIG_NODE_ID\":\"n\","
                        + "\"OPENRIG_SESSION_NAME\":\"s\",\"OPENRIG_OCCUPANT_GENERATION\":\"g\"}");
        require(requests.reply(Request.parse(List.of("--prepare")), null));
        Guest.run(List.of("--root", root, "--stage", "control/next"));
        Guest.run(List.of("--root", root, "--read", root + "/work/a"));
        Guest.run(List.of("--root", root, "--stat", "work/none"));
        Guest.run(
                List.of("--root", root, "--install", "control/in", "--destination", "work/b", "--previous", "missing"));
        Guest.run(List.of("--root", root, "--identity"));
        Guest.run(List.of("--root", root, "--checkpoint-files"));
    }

    private static void put(Requests requests, String path, String text) {
        require(requests.reply(
                Request.parse(List.of("--put", path, "--previous", "missing")), text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void require(Map<String, Object> reply) {
        if (!Boolean.TRUE.equals(reply.get("ok"))) {
            throw new IllegalStateException(
                    "unexpected reply " + new String(Json.write(reply), StandardCharsets.US_ASCII));
        }
    }

    private static void resident(String root) throws IOException, InterruptedException {
        Path control = Files.createTempDirectory("berth-training").resolve("control.sock");
        String proxy = control.resolveSibling("proxy.sock").toString();
        try (ServerSocketChannel host = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            host.bind(UnixDomainSocketAddress.of(control));
            Thread.ofPlatform().daemon().start(() -> ask(host));
            Resident.run(ResidentOptions.parse(List.of(
                    "--root",
                    root,
                    "--control",
                    control.toString(),
                    "--proxy",
                    freePort() + "=" + proxy,
                    "--program",
                    "/bin/true",
                    "--stay-seconds",
                    "1")));
        } finally {
            Files.deleteIfExists(control);
            Files.deleteIfExists(control.getParent());
        }
    }

    private static void ask(ServerSocketChannel host) {
        try (SocketChannel line = host.accept()) {
            ask(line, "{\"id\":1,\"args\":[\"--stage\",\"control/first\"]}\n");
            ask(line, "{\"id\":2,\"args\":[\"--read\",\"work/a\"]}\n");
        } catch (IOException e) {
            System.err.println("training failed: " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void ask(SocketChannel line, String request) throws IOException {
        line.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer reply = ByteBuffer.allocate(1000);
        while (line.read(reply) >= 0 && reply.get(reply.position() - 1) != '\n') {}
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }
}
