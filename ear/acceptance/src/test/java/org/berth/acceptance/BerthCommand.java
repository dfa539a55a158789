package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The program {@code bin/berth} of a release: the script beside the built tree, without sources, so that it never
 * builds. Runs as the server's user with an environment of its own.
 */
public final class BerthCommand {
    private static final int PATIENCE_SECONDS = 180;

    private final Path directory;
    private final Path distribution;
    private final Map<String, String> environment = new LinkedHashMap<>();

    /** How a run ended and what it wrote. */
    public record Outcome(int code, String out, String err) {}

    /** For {@code server}: its state root and its ports. */
    public BerthCommand(BerthServer server) {
        directory = server.directory("command");
        distribution = directory.resolve("release");
        Path root = BerthServer.DISTRIBUTION.getParent().getParent();
        try {
            Files.createDirectories(distribution.resolve("bin"));
            for (String script : List.of("bin/berth", "bin/find-jdk.sh")) {
                Files.copy(root.resolve(script), distribution.resolve(script));
            }
            Files.createSymbolicLink(distribution.resolve("cli"), root.resolve("cli"));
            Files.createSymbolicLink(distribution.resolve("target"), root.resolve("target"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.give(directory);
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", directory.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("BERTH_HOME", server.home().toString());
        environment.put("BERTH_PORT_OFFSET", Integer.toString(server.portOffset()));
        environment.put("BERTH_FAST_START", "1");
    }

    /** A variable of every later run; null takes it away. */
    public BerthCommand environment(String variable, String value) {
        if (value == null) {
            environment.remove(variable);
        } else {
            environment.put(variable, value);
        }
        return this;
    }

    /** A directory that its runs can use. */
    public Path directory() {
        return directory;
    }

    /** Runs it to its end. @throws AssertionError when that does not come */
    public Outcome run(String... arguments) {
        List<String> command = new ArrayList<>(BerthServer.asServerUser());
        command.add(distribution.resolve("bin/berth").toString());
        command.addAll(List.of(arguments));
        try {
            Path out = Files.createTempFile(BerthServer.DIRECTORY, "berth-", ".out");
            Path err = Files.createTempFile(BerthServer.DIRECTORY, "berth-", ".err");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
                builder.environment().clear();
                builder.environment().putAll(environment);
                int code = await(builder.start(), List.of(arguments));
                return new Outcome(code, Files.readString(out), Files.readString(err));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int await(Process process, List<String> arguments) {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("berth " + arguments + " does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
