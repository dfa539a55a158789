package org.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.berth.process.egress.Relay;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ResidentTest {
    /** Repeats lines, tells its size at each change. */
    private static final String TALK = "trap 'stty size' WINCH\n"
            + "while :; do read -r line && echo \"heard $line\"; [ \"$line\" = end ] && exit 5; "
            + "[ \"$line\" = flood ] && yes 0123456789012345678901234567890123456789 | head -200000 && echo done > flooded\n"
            + "done";

    @TempDir
    Path directory;

    private Path root;
    private Path channel;

    @BeforeEach
    void makeTree() throws IOException {
        root = HelperProcess.tree(directory, TALK, "");
        channel = Files.createDirectory(directory.resolve("channel"));
    }

    private HelperProcess start(String... more) throws IOException {
        java.util.List<String> arguments = new java.util.ArrayList<>(java.util.List.of(
                "--program",
                directory.resolve("claude").toString(),
                "--control",
                channel.resolve("control.sock").toString()));
        arguments.addAll(java.util.List.of(more));
        return HelperProcess.start(root, arguments.toArray(String[]::new));
    }

    private Host listen() throws IOException {
        return Host.listen(channel.resolve("control.sock"));
    }

    private static void type(SocketChannel viewer, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        frame(viewer, 0, bytes);
    }

    private static void size(SocketChannel viewer, String size) throws IOException {
        frame(viewer, 1, size.getBytes(StandardCharsets.US_ASCII));
    }

    private static void frame(SocketChannel viewer, int kind, byte[] bytes) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(3 + bytes.length)
                .put((byte) kind)
                .putShort((short) bytes.length)
                .put(bytes)
                .flip();
        while (frame.hasRemaining()) {
            viewer.write(frame);
        }
    }

    /** Reads until {@code text} was shown. */
    private static String shown(SocketChannel viewer, String text) throws IOException {
        InputStream in = Channels.newInputStream(viewer);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (!all.toString(StandardCharsets.UTF_8).contains(text)) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("ended after " + all);
            }
            all.write(c);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private void launch(Host host) throws IOException {
        assertThat(host.ask(null, "--prepare")).containsEntry("ok", true);
    }

    private static void awaitNative(Host host) throws Exception {
        Await.until(
                "the native runs",
                () -> Boolean.TRUE.equals(host.ask(null, "--identity").get("running")));
    }

    @Test
    void requestsAreAnsweredWhileLatchingRunningAndAfterTheExit() throws Exception {
        try (Host host = listen();
                HelperProcess helper = start("--stay-seconds", "60")) {
            host.accept();
            assertThat(host.ask("role", "--put", "work/role.md", "--previous", "missing"))
                    .containsEntry("ok", true);
            assertThat(host.ask(null, "--read", "work/role.md"))
                    .containsEntry("base64", Base64.getEncoder().encodeToString("role".getBytes()));
            assertThat(host.ask(null, "--identity")).containsEntry("code", "environment_file_missing");
            launch(host);
            awaitNative(host);
            assertThat(host.ask(null, "--stop-native", HelperProcess.ID, "--generation", "g"))
                    .containsEntry("signal", "TERM");
            Await.until(
                    "the exit is known",
                    () -> Boolean.FALSE.equals(host.ask(null, "--identity").get("running")));
            assertThat(host.ask(null, "--identity")).containsEntry("exitCode", -15L);
            assertThat(host.ask(null, "--stat", "work/role.md")).containsEntry("bytes", 4L);
            assertThat(host.ask(null, "--root", "/elsewhere", "--stat", "a"))
                    .containsEntry("code", "environment_root_invalid");
            for (String[] wrong : new String[][] {{}, {"--bogus"}, {"--resize", "0x0"}, {"--viewer", "/x"}}) {
                assertThat(host.ask(null, wrong)).containsEntry("code", "environment_guest_unconfirmed");
            }
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void aLineThatIsCutIsDialledAgain() throws Exception {
        try (HelperProcess helper = start()) {
            Await.until("it is up", () -> Files.exists(root.resolve("control/viewer.sock")));
            for (int i = 0; i < 3; i++) {
                try (Host host = listen()) {
                    host.accept();
                    assertThat(host.ask(null, "--stage", "control/in" + i)).containsEntry("ok", true);
                    host.cut();
                    host.accept();
                    assertThat(host.ask(null, "--stage", "control/in" + i)).containsEntry("ok", true);
                }
            }
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void theNativeIsNotStartedBeforeTheLineIsUp() throws Exception {
        HelperProcess.prepare(root);
        try (HelperProcess helper = start("--latch-seconds", "1")) {
            assertThat(helper.ended()).isTrue();
            assertThat(helper.output()).contains("environment_preparation_expired");
            assertThat(root.resolve("control/native.json")).doesNotExist();
        }
    }

    @Test
    void viewersFollowOneAnotherAndTheNativeGoesOn() throws Exception {
        Path door = root.resolve("control/viewer.sock");
        try (Host host = listen();
                Host viewers = Host.listen(channel.resolve("viewer.sock"));
                HelperProcess helper = start("--stay-seconds", "60")) {
            host.accept();
            launch(host);
            awaitNative(host);
            try (SocketChannel first = SocketChannel.open(UnixDomainSocketAddress.of(door))) {
                size(first, "30x100");
                assertThat(shown(first, "30 100")).contains("29 100");
                type(first, "one\r");
                shown(first, "heard one");
            }
            assertThat(host.ask(null, "--viewer")).containsEntry("ok", true);
            try (SocketChannel second = viewers.acceptRaw()) {
                size(second, "30x100");
                shown(second, "30 100");
                assertThat(host.ask(null, "--resize", "33x101")).containsEntry("ok", true);
                shown(second, "33 101");
                size(second, "35x102");
                shown(second, "35 102");
                type(second, "two\r");
                shown(second, "heard two");
                type(second, "end\r");
                shown(second, "heard end");
                awaitEnd(second);
            }
            Await.until(
                    "the exit is known",
                    () -> Boolean.FALSE.equals(host.ask(null, "--identity").get("running")));
            assertThat(host.ask(null, "--identity")).containsEntry("exitCode", 5L);
            try (SocketChannel late = SocketChannel.open(UnixDomainSocketAddress.of(door))) {
                size(late, "30x100");
                awaitEnd(late);
            }
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    /** The end comes as a reset where bytes were on their way. */
    private static void awaitEnd(SocketChannel viewer) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try {
            while (viewer.read(buffer.clear()) >= 0) {}
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @Test
    void aViewerThatDoesNotReadHoldsUpNeitherTheNativeNorRequests() throws Exception {
        Path door = root.resolve("control/viewer.sock");
        try (Host host = listen();
                HelperProcess helper = start()) {
            host.accept();
            launch(host);
            awaitNative(host);
            try (SocketChannel idle = SocketChannel.open(UnixDomainSocketAddress.of(door))) {
                size(idle, "30x100");
                type(idle, "flood\r");
                Await.until("the native wrote all", () -> Files.exists(root.resolve("work/flooded")));
                assertThat(host.ask(null, "--identity")).containsEntry("running", true);
                long read = 0;
                ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
                for (int n = idle.read(buffer.clear()); n >= 0; n = idle.read(buffer.clear())) {
                    read += n;
                }
                assertThat(read).isLessThan(200_000 * 41L);
            }
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void aNativeThatIsBusyWhenAViewerComesDrawsForItYet() throws Exception {
        Files.writeString(
                directory.resolve("claude"),
                "#!/bin/sh\ntrap 'stty size' WINCH\necho ready > ready\nwhile :; do sleep 0.7; done\n");
        HelperProcess.prepare(root);
        try (Host host = listen();
                HelperProcess helper = start()) {
            host.accept();
            Await.until("the native runs", () -> Files.exists(root.resolve("work/ready")));
            try (SocketChannel viewer =
                    SocketChannel.open(UnixDomainSocketAddress.of(root.resolve("control/viewer.sock")))) {
                size(viewer, "30x100");
                size(viewer, "31x101");
                assertThat(shown(viewer, "31 101")).contains("29 100").doesNotContain("30 100");
            }
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void aViewerThatSendsNoFrameIsDropped() throws Exception {
        try (Host host = listen();
                HelperProcess helper = start()) {
            host.accept();
            launch(host);
            awaitNative(host);
            for (byte[] wrong : new byte[][] {{9, 0, 0}, {1, 0, 1, 'x'}, {1, 0, 3, '0', 'x', '0'}}) {
                try (SocketChannel viewer =
                        SocketChannel.open(UnixDomainSocketAddress.of(root.resolve("control/viewer.sock")))) {
                    viewer.write(ByteBuffer.wrap(wrong));
                    awaitEnd(viewer);
                }
            }
            assertThat(host.ask(null, "--identity")).containsEntry("running", true);
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void whatTheNativeStartedIsNoViewerNotEvenAsAnOrphan() throws Exception {
        Path door = root.resolve("control/viewer.sock");
        Path keys = Files.writeString(directory.resolve("keys"), "injected\r");
        Path view = Files.writeString(
                directory.resolve("view"),
                String.join(" ", HelperProcess.command("--view", door.toString())) + " < " + keys
                        + " > view.out 2>&1; mv view.out view.done\n");
        Files.writeString(
                directory.resolve("claude"),
                "#!/bin/sh\nsetsid sh -c 'sh " + view + " &'\nwhile read -r line; do echo \"$line\" >> heard; done\n");
        HelperProcess.prepare(root);
        try (Host host = listen();
                HelperProcess helper = start()) {
            host.accept();
            Await.until("the view from inside ended", () -> Files.exists(root.resolve("work/view.done")));
            assertThat(root.resolve("work/view.done")).content().startsWith("guest: the view has ended");
            try (SocketChannel outside = SocketChannel.open(UnixDomainSocketAddress.of(door))) {
                size(outside, "30x100");
                type(outside, "from outside\r");
                Await.until("the native heard", () -> Files.exists(root.resolve("work/heard")));
            }
            assertThat(root.resolve("work/heard")).hasContent("from outside\n");
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void aRelayInsideReachesThePortBehindItsSocket() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        UnixDomainSocketAddress socket = UnixDomainSocketAddress.of(channel.resolve("relay.sock"));
        try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Relay outer = Relay.open(socket, service.getLocalSocketAddress());
                HelperProcess helper = start("--relay", port + "=" + socket)) {
            Await.until("it is up", () -> Files.exists(root.resolve("control/viewer.sock")));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket served = service.accept()) {
                client.getOutputStream().write("ping".getBytes());
                client.shutdownOutput();
                assertThat(served.getInputStream().readAllBytes()).asString().isEqualTo("ping");
                served.getOutputStream().write("pong".getBytes());
                served.shutdownOutput();
                assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("pong");
            }
            assertThat(outer.address()).isEqualTo(socket);
            assertThat(helper.process().isAlive()).isTrue();
        }
    }

    @Test
    void asTheFirstProcessItReapsOrphans() throws Exception {
        Files.writeString(
                directory.resolve("claude"),
                "#!/bin/sh\n(sh -c 'sleep 0.1 & sleep 0.1 &' &)\nwhile [ $(ls -d /proc/[0-9]* | wc -l) -gt 20 ]; do sleep 0.1; done\n"
                        + "sleep 1; for p in /proc/[0-9]*/stat; do cat $p; done > stats 2>/dev/null; mv stats all; sleep 60\n");
        HelperProcess.prepare(root);
        java.util.List<String> command = new java.util.ArrayList<>(java.util.List.of(
                "bwrap",
                "--bind",
                "/",
                "/",
                "--dev",
                "/dev",
                "--proc",
                "/proc",
                "--unshare-pid",
                "--as-pid-1",
                "--die-with-parent"));
        command.addAll(HelperProcess.command(
                "--root",
                root.toString(),
                "--program",
                directory.resolve("claude").toString()));
        try (HelperProcess helper = HelperProcess.start(directory.resolve("pid1.out"), command)) {
            Path all = root.resolve("work/all");
            Await.until(
                    "the native looked around",
                    () -> Files.exists(all) || !helper.process().isAlive());
            assertThat(helper.process().isAlive()).as(helper.output()).isTrue();
            assertThat(Files.readAllLines(all))
                    .anyMatch(line -> line.startsWith("1 (java)"))
                    .noneMatch(line -> line.contains(") Z "));
            Map<String, Object> record = HelperProcess.json(root.resolve("control/native.json"));
            assertThat((Long) record.get("pid")).isLessThan(1000L);
        }
    }
}
