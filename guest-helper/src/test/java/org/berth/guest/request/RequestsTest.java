package org.berth.guest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.guest.files.GuestFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RequestsTest {
    private static final String ID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private Path root;

    @BeforeEach
    void makeTree() throws IOException {
        root = Files.createDirectories(directory.toRealPath().resolve("root"));
        Files.createDirectories(root.resolve("control"));
        Files.createDirectories(root.resolve("work"));
    }

    private Map<String, Object> ask(String... arguments) {
        return askWith(null, arguments);
    }

    private Map<String, Object> askWith(String data, String... arguments) {
        return new Requests(new GuestFiles(root.toString()), environment)
                .reply(Request.parse(List.of(arguments)), data == null ? null : data.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> refusal(String code) {
        return Map.of("ok", false, "code", code);
    }

    private void write(String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
    }

    private static String sha256(String text) {
        return Digest.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void installedBytesAreVerifiedAndAnUnmanagedDestinationIsKept() throws IOException {
        write("control/transfer", "required current bytes");
        String destination = root + "/work/role.md";
        assertThat(ask("--install", root + "/control/transfer", "--destination", destination, "--previous", "missing"))
                .isEqualTo(Map.of("ok", true, "bytes", 22L, "sha256", sha256("required current bytes")));
        assertThat(root.resolve("control/transfer")).doesNotExist();
        assertThat(ask("--read", destination)).containsEntry("base64", base64("required current bytes"));
        assertThat(ask("--stat", destination)).containsEntry("bytes", 22L).doesNotContainKey("base64");
        write("control/two", "replacement");
        for (String previous : List.of("missing", sha256("something else"))) {
            assertThat(ask("--install", "control/two", "--destination", destination, "--previous", previous))
                    .isEqualTo(refusal("environment_projection_conflict"));
        }
        assertThat(ask("--install", "control/two", "--destination", destination))
                .isEqualTo(refusal("environment_projection_conflict"));
        assertThat(root.resolve("work/role.md")).hasContent("required current bytes");
        assertThat(ask(
                        "--install",
                        "control/two",
                        "--destination",
                        destination,
                        "--previous",
                        sha256("required current bytes"),
                        "--mode",
                        "0700"))
                .containsEntry("ok", true);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("work/role.md"))))
                .isEqualTo("rwx------");
    }

    @Test
    void aDestinationThatVanishedIsNotMadeAnew() throws IOException {
        write("control/in", "x");
        assertThat(ask("--install", "control/in", "--destination", "work/gone", "--previous", sha256("old")))
                .isEqualTo(refusal("environment_projection_changed"));
        assertThat(ask("--install", "control/none", "--destination", "work/gone", "--previous", "missing"))
                .isEqualTo(refusal("environment_file_missing"));
        assertThat(ask("--install", "control/in", "--previous", "missing"))
                .isEqualTo(refusal("environment_path_invalid"));
        assertThat(root.resolve("control/in")).hasContent("x");
    }

    @Test
    void putInstallsInOneStepWithTheSameRefusals() {
        assertThat(askWith("one", "--put", "work/a", "--previous", "missing"))
                .isEqualTo(Map.of("ok", true, "bytes", 3L, "sha256", sha256("one")));
        assertThat(askWith("two", "--put", "work/a", "--previous", "missing"))
                .isEqualTo(refusal("environment_projection_conflict"));
        assertThat(askWith("two", "--put", "work/a", "--previous", sha256("one"), "--mode", "0700"))
                .containsEntry("ok", true);
        assertThat(askWith("x", "--put", "work/b", "--previous", sha256("one")))
                .isEqualTo(refusal("environment_projection_changed"));
        assertThat(ask("--put", "work/b", "--previous", "missing")).isEqualTo(refusal("environment_guest_unconfirmed"));
        assertThat(askWith("x", "--put", "../b", "--previous", "missing"))
                .isEqualTo(refusal("environment_path_invalid"));
        assertThat(root.resolve("work/a")).hasContent("two");
    }

    @Test
    void aStageIsFreeOrRefused() throws IOException {
        assertThat(ask("--stage", "control/deep/transfer")).isEqualTo(Map.of("ok", true));
        assertThat(root.resolve("control/deep")).isDirectory();
        write("control/deep/transfer", "x");
        assertThat(ask("--stage", "control/deep/transfer")).isEqualTo(refusal("environment_stage_exists"));
        Files.createSymbolicLink(root.resolve("control/link"), directory.resolve("made"));
        assertThat(ask("--stage", "control/link")).isEqualTo(refusal("environment_symlink"));
    }

    @Test
    void optionsAreTheReferences() {
        assertThat(Request.parse(List.of("--root=/r", "--read=--odd")).read()).isEqualTo("--odd");
        assertThat(Request.parse(List.of("--read", "--odd")).read()).isEqualTo("--odd");
        assertThat(Request.parse(List.of()).root()).isEqualTo("/sandbox/openrig");
        for (List<String> wrong :
                List.of(List.of("--unknown"), List.of("work/a"), List.of("--read"), List.of("--mode", "0777"))) {
            assertThatThrownBy(() -> Request.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private String pending(String more) {
        return "{\"version\":1,\"bindingId\":\"b\",\"generation\":\"g\",\"nativeId\":\"" + ID + "\",\"files\":[]" + more
                + "}";
    }

    @Test
    void prepareOpensTheLatchOnceAndIsTheSameForTheSameBytes() throws IOException {
        write("control/launch.pending.json", pending(""));
        assertThat(ask("--prepare")).isEqualTo(refusal("environment_provider_reference_missing"));
        assertThat(root.resolve("control/launch.json")).doesNotExist();
        environment.put("CLAUDE_API_KEY", "reference");
        Map<String, Object> prepared = Map.of("ok", true, "generation", "g", "nativeId", ID);
        assertThat(ask("--prepare")).isEqualTo(prepared);
        assertThat(root.resolve("control/provider-api-ref")).hasContent("reference");
        assertThat(root.resolve("native")).isDirectory();
        byte[] published = Files.readAllBytes(root.resolve("control/launch.json"));
        environment.clear();
        write("control/launch.pending.json", " " + pending("") + "\n");
        assertThat(ask("--prepare")).isEqualTo(prepared);
        write("control/launch.pending.json", pending(",\"model\":\"other\""));
        assertThat(ask("--prepare")).isEqualTo(refusal("environment_native_already_selected"));
        assertThat(Files.readAllBytes(root.resolve("control/launch.json"))).isEqualTo(published);
    }

    @Test
    void aPublishedDescriptorIsCanonical() throws IOException {
        environment.put("ANTHROPIC_API_KEY", "k");
        write("control/launch.pending.json", pending(",\"model\":\"é\",\"a\":{\"z\":null,\"y\":[true, 2]}"));
        assertThat(ask("--prepare")).containsEntry("ok", true);
        assertThat(root.resolve("control/launch.json"))
                .hasContent("{\"a\":{\"y\":[true,2],\"z\":null},\"bindingId\":\"b\",\"files\":[],\"generation\":\"g\","
                        + "\"model\":\"\\u00e9\",\"nativeId\":\"" + ID + "\",\"version\":1}");
    }

    @Test
    void anIdentityIsARecordedProcessThatIsStillTheSame() throws Exception {
        assertThat(ask("--identity")).isEqualTo(refusal("environment_file_missing"));
        Path program = Files.writeString(directory.resolve("claude"), "#!/bin/sh\nwhile read -r line; do :; done\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Process process = new ProcessBuilder(program.toString(), "--session-id", ID).start();
        try {
            awaitCommand(process.pid());
            String started = ticks(process.pid());
            write("control/native.json", record(process.pid(), started));
            assertThat(ask("--identity"))
                    .isEqualTo(Map.of(
                            "ok",
                            true,
                            "nativeId",
                            ID,
                            "generation",
                            "g",
                            "pid",
                            process.pid(),
                            "started",
                            started,
                            "running",
                            true));
            write("control/native.json", record(process.pid(), "1" + started));
            assertThat(ask("--identity")).isEqualTo(refusal("environment_native_changed"));
            String own = ticks(ProcessHandle.current().pid());
            write("control/native.json", record(ProcessHandle.current().pid(), own));
            assertThat(ask("--identity")).isEqualTo(refusal("environment_native_changed"));
            write("control/native.json", record(process.pid(), started));
            assertThat(ask("--stop-native", ID, "--generation", "other"))
                    .isEqualTo(refusal("environment_native_changed"));
            assertThat(ask("--stop-native", ID)).isEqualTo(refusal("environment_native_changed"));
            assertThat(process.isAlive()).isTrue();
            assertThat(ask("--stop-native", ID, "--generation", "g"))
                    .isEqualTo(Map.of("ok", true, "signal", "TERM", "nativeId", ID, "generation", "g"));
            assertThat(process.waitFor()).isEqualTo(143);
            assertThat(ask("--identity")).isEqualTo(refusal("environment_file_missing"));
            write("control/native-exit.json", exit(process.pid() + 1));
            assertThat(ask("--identity")).isEqualTo(refusal("environment_native_unconfirmed"));
            write("control/native-exit.json", exit(process.pid()));
            assertThat(ask("--identity"))
                    .containsEntry("running", false)
                    .containsEntry("exitCode", -15L)
                    .containsEntry("pid", process.pid());
        } finally {
            process.destroyForcibly();
        }
    }

    private static void awaitCommand(long pid) throws IOException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains(ID) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    private static String ticks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    }

    private static String record(long pid, String started) {
        return "{\"nativeId\":\"" + ID + "\",\"generation\":\"g\",\"pid\":" + pid + ",\"started\":\"" + started + "\"}";
    }

    private static String exit(long pid) {
        return "{\"nativeId\":\"" + ID + "\",\"generation\":\"g\",\"pid\":" + pid + ",\"exitCode\":-15}";
    }

    @Test
    void aCheckpointIsOneHistoryThatEndsWithItsLine() throws IOException {
        long gone = 4_194_305;
        write("control/native.json", record(gone, "1"));
        write("control/native-exit.json", exit(gone));
        assertThat(ask("--checkpoint-files")).isEqualTo(refusal("environment_file_missing"));
        String path = "native/projects/-sandbox-openrig-work/" + ID + ".jsonl";
        write(path, "{}\n{\"half");
        assertThat(ask("--checkpoint-files")).isEqualTo(refusal("environment_checkpoint_incomplete"));
        write(path, "");
        assertThat(ask("--checkpoint-files")).isEqualTo(refusal("environment_checkpoint_incomplete"));
        write(path, "{}\n");
        assertThat(ask("--checkpoint-files"))
                .isEqualTo(Map.of(
                        "ok", true, "files", List.of(Map.of("path", path, "bytes", 3L, "sha256", sha256("{}\n")))));
    }

    @Test
    void aRecordThatPointsElsewhereIsRefused() throws IOException {
        write("control/native.json", record(4_194_305, "1").replace(ID, "../../../../outside"));
        write("control/native-exit.json", exit(4_194_305).replace(ID, "../../../../outside"));
        assertThat(ask("--checkpoint-files")).isEqualTo(refusal("environment_path_invalid"));
        for (String wrong : List.of("{}", "[]", "x", "{\"pid\":\"1\"}", record(-1, "1"))) {
            write("control/native.json", wrong);
            assertThat(ask("--identity")).as(wrong).isEqualTo(refusal("environment_guest_unconfirmed"));
        }
    }
}
