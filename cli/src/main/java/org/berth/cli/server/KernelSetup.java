package org.berth.cli.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Settings;
import org.berth.cli.Surroundings;
import org.berth.cli.output.Progress;

/** Runs the assembled server's program for the kernel's Python; no server need run. */
public final class KernelSetup {
    private final Surroundings surroundings;
    private final Settings settings;
    private final Progress.Source progress;

    /** @param settings their state root counts */
    public KernelSetup(Surroundings surroundings, Settings settings, Progress.Source progress) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * What the program said at its end.
     *
     * @param usable whether kernels can start
     * @param members by name, in its order: state, usable, python, version, venv, uv, settingUp, reason
     */
    public record Answer(boolean usable, Map<String, String> members) {}

    /** What is there now. */
    public Answer check() {
        return run("check", step -> {});
    }

    /** Downloads and installs. @param steps hears what is done, one sentence each */
    public Answer install(Consumer<String> steps) {
        return run("install", steps);
    }

    private Answer run(String what, Consumer<String> steps) {
        Path program = program();
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of(program.toString(), what))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true);
            builder.environment().clear();
            builder.environment().putAll(surroundings.environment());
            builder.environment().put("BERTH_HOME", settings.home().toString());
            process = builder.start();
        } catch (IOException e) {
            throw Failure.failed(program + " does not run.", null);
        }
        Map<String, String> members = new LinkedHashMap<>();
        StringBuilder other = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            read(lines, steps, members, other);
            int exitCode = process.waitFor();
            if (!members.containsKey("state") && !members.containsKey("reason")) {
                throw Failure.failed(program + " ended with " + exitCode + " and said nothing.\n" + other, null);
            }
            return new Answer(exitCode == ExitCodes.DONE, members);
        } catch (IOException e) {
            throw Failure.failed(program + " cannot be heard: " + e.getMessage(), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted while " + program + " ran.", null);
        } finally {
            process.destroy();
        }
    }

    private void read(BufferedReader lines, Consumer<String> steps, Map<String, String> members, StringBuilder other)
            throws IOException {
        Progress shown = progress.show("Looking at the kernel's Python");
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int tab = line.indexOf('\t');
                if (tab < 0) {
                    other.append("  ").append(line).append('\n');
                } else if (line.startsWith("step\t")) {
                    shown.close();
                    steps.accept(line.substring(tab + 1));
                    shown = progress.show(line.substring(tab + 1));
                } else {
                    members.put(line.substring(0, tab), line.substring(tab + 1));
                }
            }
        } finally {
            shown.close();
        }
    }

    private Path program() {
        String distribution = surroundings.variable("BERTH_DIST", null);
        if (distribution == null) {
            throw Failure.failed(
                    "BERTH_DIST is not set, so the server's files are unknown.", "Use bin/berth kernel install.");
        }
        Path program = Path.of(distribution, "target", "server", "bin", "berth-kernel");
        if (!Files.isExecutable(program)) {
            throw Failure.failed(
                    "The server is not assembled: there is no " + program + ".", "Use bin/berth kernel install.");
        }
        return program;
    }
}
