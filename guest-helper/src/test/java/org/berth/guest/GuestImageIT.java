package org.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.guest.json.Json;
import org.berth.process.egress.Relay;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built image. */
@Timeout(120)
class GuestImageIT {
    private static final Path IMAGE = Path.of(System.getProperty("guest.image"));
    private static final int ROUNDS = 15;

    @TempDir
    Path directory;

    private Path root;

    @BeforeEach
    void makeTree() throws IOException {
        root = Files.createDirectories(directory.toRealPath().resolve("root"));
        Files.createDirectories(root.resolve("work"));
        Files.writeString(root.resolve("work/a"), "text");
    }

    private record Answer(int code, String out, String err) {
        Map<String, Object> json() {
            return Json.readObject(out.getBytes(StandardCharsets.UTF_8));
        }
    }

    private Answer run(Map<String, String> environment, List<String> command) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private List<String> guest(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(IMAGE.resolve("bin/guest").toString(), "--root", root.toString()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    @Test
    void itAnswersAndTellsItsStart() throws Exception {
        long[] millis = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long before = System.nanoTime();
            Answer answer = run(Map.of(), guest("--read", "work/a"));
            millis[i] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
            assertThat(answer.code()).isZero();
            assertThat(answer.err()).isEmpty();
            assertThat(answer.json()).containsEntry("ok", true).containsEntry("bytes", 4L);
        }
        Arrays.sort(millis);
        System.out.println("guest --read: start to reply, median of " + ROUNDS + ": " + millis[ROUNDS / 2]
                + " ms, least " + millis[0] + " ms");
    }

    @Test
    void refusalsAreRepliesAndUnknownOptionsAreNot() throws Exception {
        Answer refused = run(Map.of(), guest("--read", root + "/../out"));
        assertThat(refused.code()).isZero();
        assertThat(refused.json()).isEqualTo(Map.of("ok", false, "code", "environment_path_invalid"));
        Answer unknown = run(Map.of(), guest("--bogus", "x"));
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.out()).isEmpty();
    }

    @Test
    void noOptionOfTheEnvironmentReachesItsJava() throws Exception {
        Map<String, String> options =
                Map.of("JAVA_TOOL_OPTIONS", "-Xbogus", "JDK_JAVA_OPTIONS", "-Xbogus", "_JAVA_OPTIONS", "-Xbogus");
        Answer answer = run(options, guest("--stat", "work/a"));
        assertThat(answer.json()).containsEntry("ok", true);
        assertThat(answer.err()).isEmpty();
    }

    @Test
    void itHoldsTheBaseModuleAndTheHelperOnly() throws Exception {
        Answer modules = run(Map.of(), List.of(IMAGE.resolve("bin/java").toString(), "--list-modules"));
        assertThat(modules.out().lines().map(line -> line.replaceAll("@.*", "")))
                .containsExactlyInAnyOrder("java.base", "org.berth.guest", "org.berth.process.egress");
    }

    @Test
    void aCopyElsewhereStartsFromItsArchiveToo() throws Exception {
        Path copy = directory.resolve("copy");
        assertThat(run(Map.of(), List.of("cp", "-r", IMAGE.toString(), copy.toString()))
                        .code())
                .isZero();
        Answer answer = run(
                Map.of(),
                List.of(
                        copy.resolve("bin/java").toString(),
                        "@" + copy.resolve("lib/guest.args"),
                        "-XX:AOTCache=" + copy.resolve("lib/guest.aot"),
                        "-XX:AOTMode=on",
                        "-m",
                        "org.berth.guest/org.berth.guest.Guest",
                        "--root",
                        root.toString(),
                        "--stat",
                        "work/a"));
        assertThat(answer.json()).containsEntry("ok", true);
    }

    @Test
    void serveAnswersOverItsStandardStreams() throws Exception {
        Process process = new ProcessBuilder(guest("--serve")).start();
        try {
            process.getOutputStream()
                    .write("{\"id\":1,\"args\":[\"--stat\",\"work/a\"]}\n{\"id\":2,\"args\":[]}\n".getBytes());
            process.getOutputStream().close();
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                    .hasSize(2)
                    .first()
                    .asString()
                    .startsWith("{\"id\":1,\"reply\":{\"ok\":true,");
        } finally {
            process.destroyForcibly();
        }
    }

    /** The places and options under which the local driver runs it. */
    @Test
    void insideANamespaceItLaunchesTheNativeAndRelays() throws Exception {
        Path tree = HelperProcess.tree(
                directory,
                "bash -c 'exec 9<>/dev/tcp/127.0.0.1/7781; echo call >&9; read -r answer <&9; echo $answer > answer'\n"
                        + "while read -r line; do :; done",
                "");
        Path channel = Files.createDirectory(directory.resolve("channel"));
        UnixDomainSocketAddress relay = UnixDomainSocketAddress.of(channel.resolve("relay-7781.sock"));
        List<String> command = new ArrayList<>(List.of("bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc"));
        for (String each : List.of("/usr", "/etc")) {
            command.addAll(List.of("--ro-bind", each, each));
        }
        for (String each : List.of("bin", "lib", "lib64", "sbin")) {
            command.addAll(List.of("--symlink", "usr/" + each, "/" + each));
        }
        command.addAll(List.of(
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--tmpfs",
                "/tmp",
                "--ro-bind",
                IMAGE.toString(),
                "/opt/openrig",
                "--ro-bind",
                channel.toString(),
                "/run/openrig",
                "--ro-bind",
                directory.resolve("claude").toString(),
                "/opt/native/claude",
                "--bind",
                tree.toString(),
                "/sandbox/openrig",
                "--die-with-parent",
                "/opt/openrig/bin/guest",
                "--control",
                "/run/openrig/control.sock",
                "--relay",
                "7781=/run/openrig/relay-7781.sock",
                "--program",
                "/opt/native/claude"));
        try (Host host = Host.listen(channel.resolve("control.sock"));
                ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Relay outer = Relay.open(relay, service.getLocalSocketAddress());
                HelperProcess helper = HelperProcess.start(directory.resolve("bwrap.out"), command)) {
            host.accept();
            assertThat(host.ask(null, "--prepare")).containsEntry("ok", true);
            Await.until(
                    "the native runs",
                    () -> Boolean.TRUE.equals(host.ask(null, "--identity").get("running")));
            try (Socket served = service.accept()) {
                assertThat(new BufferedReader(new InputStreamReader(served.getInputStream())).readLine())
                        .isEqualTo("call");
                served.getOutputStream().write("answer\n".getBytes());
                Await.until(
                        "the answer came",
                        () -> Boolean.TRUE.equals(
                                host.ask(null, "--stat", "work/answer").get("ok")));
            }
            assertThat(host.ask(null, "--stop-native", HelperProcess.ID, "--generation", "g"))
                    .containsEntry("ok", true);
            Await.until(
                    "the exit is known",
                    () -> Boolean.FALSE.equals(host.ask(null, "--identity").get("running")));
            assertThat(outer.address()).isEqualTo(relay);
            assertThat(helper.process().isAlive()).isTrue();
        }
    }
}
