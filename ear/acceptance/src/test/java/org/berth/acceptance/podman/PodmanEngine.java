package org.berth.acceptance.podman;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.agent.AgentPrograms;
import org.junit.jupiter.api.Assumptions;

/**
 * A rootless Podman of the server's user, with one image that holds the stand-in agent. The recipe is the script {@code
 * src/test/podman/podman-engine}.
 */
public final class PodmanEngine implements AutoCloseable {
    private static final Duration BOOT = Duration.ofSeconds(120);
    private static final int CANNOT = 3;

    private final Path directory;
    private final int uid;
    private Process service;

    private PodmanEngine(Path directory, int uid) {
        this.directory = directory;
        this.uid = uid;
    }

    /** Starts one; the calling test is skipped, with the reason, where this machine cannot run it. */
    public static PodmanEngine start(BerthServer server) throws IOException {
        // Below /tmp, since the paths of sockets are short.
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "bp").toRealPath();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        PodmanEngine engine = new PodmanEngine(directory, server.user());
        engine.serve();
        return engine;
    }

    private void serve() throws IOException {
        Path agent = directory.resolve("agent");
        AgentPrograms.standIn(agent);
        Path said = directory.resolve("service.log");
        service = new ProcessBuilder(script("serve", agent.toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(service::destroy));
        Await.until("Podman serves", BOOT, () -> !service.isAlive() || Files.exists(socket()));
        if (!service.isAlive()) {
            String reason = Files.readString(said);
            Assumptions.assumeTrue(service.exitValue() != CANNOT, "no Podman here: " + reason);
            throw new AssertionError("Podman did not start: " + reason);
        }
    }

    private List<String> script(String verb, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("berth.root"), "ear/acceptance/src/test/podman/podman-engine")
                        .toAbsolutePath()
                        .normalize()
                        .toString(),
                verb,
                directory.toString(),
                Integer.toString(uid)));
        command.addAll(List.of(more));
        return command;
    }

    public Path socket() {
        return directory.resolve("engine.sock");
    }

    /** The image by digest. */
    public String image() throws IOException {
        return Files.readString(directory.resolve("image")).strip();
    }

    /** What Podman's own command prints. @throws AssertionError unless it ends with 0 */
    public String podman(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(script("run", arguments))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError("podman " + List.of(arguments) + " ended with " + process.exitValue());
        }
        return printed;
    }

    @Override
    public void close() throws IOException {
        try {
            service.destroy();
            if (!service.waitFor(10, TimeUnit.SECONDS)) {
                service.destroyForcibly();
            }
            new ProcessBuilder(script("reset")).inheritIO().start().waitFor();
            new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
