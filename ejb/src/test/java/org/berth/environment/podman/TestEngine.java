package org.berth.environment.podman;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.berth.engine.Engine;
import org.berth.engine.EngineHttp;
import org.berth.environment.driver.RealSupervisor;
import org.junit.jupiter.api.Assumptions;

/** A real rootless Podman of its own: of this user, or of an ordinary one where the tests run as root. */
final class TestEngine implements AutoCloseable {
    private static final int ORDINARY = 65_534;
    private static final int CANNOT = 3;

    private final Path directory;
    private final Path agent;
    private final int uid;
    private Process service;

    private TestEngine(Path directory, Path agent, int uid) {
        this.directory = directory;
        this.agent = agent;
        this.uid = uid;
    }

    /** @param agent becomes the agent's program of the image; the test is skipped, with the reason, where Podman cannot run */
    static TestEngine start(String agent) throws Exception {
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "bp").toRealPath();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path program = Files.writeString(directory.resolve("agent"), agent);
        int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        TestEngine engine = new TestEngine(directory, program, own == 0 ? ORDINARY : own);
        engine.serve();
        return engine;
    }

    private void serve() throws Exception {
        Path said = directory.resolve("service.log");
        service = new ProcessBuilder(script("serve", agent.toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        RealSupervisor.await("Podman serves", () -> !service.isAlive() || answers());
        if (!service.isAlive()) {
            String reason = Files.readString(said);
            Assumptions.assumeTrue(service.exitValue() != CANNOT, "no Podman here: " + reason);
            throw new AssertionError("Podman did not start: " + reason);
        }
    }

    private boolean answers() {
        try {
            return new Engine(new EngineHttp(socket())).read("version").done();
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> script(String verb, String... more) {
        List<String> command = new ArrayList<>(List.of(
                RealSupervisor.built("ear/acceptance/src/test/podman/podman-engine")
                        .toString(),
                verb,
                directory.toString(),
                Integer.toString(uid)));
        command.addAll(List.of(more));
        return command;
    }

    Path directory() {
        return directory;
    }

    Path socket() {
        return directory.resolve("engine.sock");
    }

    int uid() {
        return uid;
    }

    /** The image by digest. */
    String image() throws IOException {
        return Files.readString(directory.resolve("image")).strip();
    }

    Engine engine() {
        return new Engine(new EngineHttp(socket()));
    }

    /** What Podman's own command prints. */
    String podman(String... arguments) throws Exception {
        Process process = new ProcessBuilder(script("run", arguments))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError("podman " + List.of(arguments) + " ended with " + process.exitValue());
        }
        return printed;
    }

    /** {@code command} as the engine's user. */
    ProcessBuilder asUser(List<String> command) throws IOException {
        List<String> all = new ArrayList<>();
        if ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0) {
            all.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "--"));
        }
        all.addAll(command);
        return new ProcessBuilder(all);
    }

    /** The service ends and starts again; containers go on. */
    void restart() throws Exception {
        stop();
        serve();
    }

    private void stop() throws InterruptedException {
        service.destroy();
        if (!service.waitFor(10, TimeUnit.SECONDS)) {
            service.destroyForcibly().waitFor();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            stop();
            new ProcessBuilder(script("reset")).inheritIO().start().waitFor();
            new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
