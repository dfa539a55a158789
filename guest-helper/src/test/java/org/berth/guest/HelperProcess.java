package org.berth.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.guest.json.Json;

/** The helper as a process of its own, on the tests' class path, with a guest root made for it. */
final class HelperProcess implements AutoCloseable {
    static final String ID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";

    private final Process process;
    private final Path output;

    private HelperProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** The command that runs the helper with {@code arguments}. */
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dsun.jnu.encoding=UTF-8",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.berth.guest.Guest"));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Starts the helper; its output goes to a file beside {@code root}. */
    static HelperProcess start(Path root, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--root", root.toString()));
        all.addAll(Arrays.asList(arguments));
        return start(root.resolveSibling("helper.out"), command(all.toArray(String[]::new)));
    }

    static HelperProcess start(Path output, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        "/usr/bin:/bin",
                        "ANTHROPIC_API_KEY",
                        "the-key",
                        "ANTHROPIC_BASE_URL",
                        "http://host.openshell.internal:1",
                        "UNRELATED",
                        "x"));
        return new HelperProcess(builder.start(), output);
    }

    /** A guest tree that is ready to be prepared, with a native that does what {@code script} says. */
    static Path tree(Path directory, String script, String more) throws IOException {
        Path root = Files.createDirectories(directory.toRealPath().resolve("root"));
        Files.createDirectories(root.resolve("control"));
        Files.writeString(
                root.resolve("control/launch.pending.json"),
                "{\"version\":1,\"bindingId\":\"b\",\"generation\":\"g\",\"nativeId\":\"" + ID + "\",\"files\":[]"
                        + more + "}");
        Files.writeString(
                root.resolve("control/activity.json"),
                "{\"OPENRIG_URL\":\"u\",\"OPENRIG_ACTIVITY_HOOK_TOKEN\":\"t\",\"OPENRIG_NODE_ID\":\"n\","
                        + "\"OPENRIG_SESSION_NAME\":\"s@r\",\"OPENRIG_OCCUPANT_GENERATION\":\"g\"}");
        Path program = Files.writeString(directory.resolve("claude"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return root;
    }

    /** Opens the latch as {@code --prepare} does. */
    static void prepare(Path root) throws IOException {
        Files.writeString(root.resolve("control/provider-api-ref"), "the-key");
        Files.createDirectories(root.resolve("native"));
        Files.copy(root.resolve("control/launch.pending.json"), root.resolve("control/launch.json.part"));
        Files.move(root.resolve("control/launch.json.part"), root.resolve("control/launch.json"));
    }

    /** A JSON file of the tree; null while it is not there. */
    static Map<String, Object> json(Path path) throws IOException {
        return Files.exists(path) ? Json.readObject(Files.readAllBytes(path)) : null;
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Process process() {
        return process;
    }

    boolean ended() throws InterruptedException {
        return process.waitFor(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
