package org.berth.cli.server;

import jakarta.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.Failure;
import org.berth.cli.Settings;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.output.Progress;

/** Starts the server of this machine, detached from the terminal, and waits until it is ready. */
public final class ServerProcess {
    private static final Duration READY = Duration.ofSeconds(120);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int LAST_LINES = 12;

    private final Surroundings surroundings;
    private final Settings settings;
    private final ApiClient api;
    private final Progress.Source progress;

    /** @param settings those of the server on this machine */
    public ServerProcess(Surroundings surroundings, Settings settings, ApiClient api, Progress.Source progress) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.api = api;
        this.progress = progress;
    }

    /** The record of the server that runs for this state root; empty when none does. */
    public Optional<ServerRecord> running() {
        return ServerRecord.read(settings.home()).filter(ServerRecord::alive);
    }

    /** What the health route says; empty when nothing answers there, or not with success. */
    public Optional<JsonObject> health() {
        try {
            return Optional.of(api.get("/healthz"));
        } catch (ProblemException | UnreachableException | Failure e) {
            return Optional.empty();
        }
    }

    /**
     * Starts the server and returns when it is ready.
     *
     * @param guest whether the guest listener opens too
     * @throws Failure when it ends or is not ready in time, with the last lines of its console
     */
    public ServerRecord start(boolean guest) {
        Path program = program();
        Path log = console();
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of("setsid", program.toString()))
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
                    .redirectErrorStream(true);
            environment(builder.environment(), guest);
            process = builder.start();
        } catch (IOException e) {
            throw Failure.failed("The server cannot be started: " + program + " does not run.", null);
        }
        try (Progress _ = progress.show("Starting the server")) {
            awaitReady(process, log);
        }
        return running().orElseThrow(() -> failed("Something else answers at " + settings.url() + ".", log));
    }

    /** Waits until a server that runs already is ready. */
    public void awaitReady() {
        try (Progress _ = progress.show("Waiting until the server is ready")) {
            awaitReady(null, settings.home().resolve("logs/console.log"));
        }
    }

    private void awaitReady(Process process, Path log) {
        long deadline = System.nanoTime() + READY.toNanos();
        while (health().isEmpty()) {
            if (process != null && !process.isAlive()) {
                throw failed("The server ended while it started (exit " + process.exitValue() + ").", log);
            }
            if (System.nanoTime() - deadline >= 0) {
                throw failed("The server is not ready after " + READY.toSeconds() + " s.", log);
            }
            Patience.sleep(PAUSE);
        }
    }

    private Path program() {
        String distribution = surroundings.variable("BERTH_DIST", null);
        if (distribution == null) {
            throw Failure.failed("BERTH_DIST is not set, so the server's files are unknown.", "Use bin/berth up.");
        }
        Path program = Path.of(distribution, "target", "server", "bin", "berth-server");
        if (!Files.isExecutable(program)) {
            throw Failure.failed("The server is not assembled: there is no " + program + ".", "Use bin/berth up.");
        }
        return program;
    }

    private Path console() {
        Path log = settings.home().resolve("logs").resolve("console.log");
        try {
            if (!Files.exists(settings.home())) {
                Files.createDirectories(settings.home().getParent());
                Files.createDirectory(
                        settings.home(),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createDirectories(
                    log.getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.createFile(log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            // written again from its beginning
        } catch (IOException e) {
            throw Failure.failed("The state root " + settings.home() + " cannot be written.", "See BERTH_HOME.");
        }
        return log;
    }

    private void environment(Map<String, String> environment, boolean guest) {
        environment.put("BERTH_HOME", settings.home().toString());
        environment.put("BERTH_PORT_OFFSET", Integer.toString(settings.portOffset()));
        if (guest) {
            environment.putIfAbsent("BERTH_GUEST_ACTIVITY_PORT", Integer.toString(settings.guestPort()));
        }
    }

    private static Failure failed(String message, Path log) {
        return Failure.failed(message + lastLines(log), "The whole console is in " + log + ".");
    }

    private static String lastLines(Path log) {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
            return last.isEmpty() ? "" : "\n  " + String.join("\n  ", last);
        } catch (IOException e) {
            return "";
        }
    }
}
