package org.berth.cli.example;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;

/** The OpenShell command of this machine. */
public final class OpenShellProgram {
    /** Source: facts on OpenShell; what the server's driver speaks. */
    static final List<String> KNOWN = List.of("0.1.6", "0.0.111");

    private static final int PATIENCE_SECONDS = 10;
    private static final int MOST_BYTES = 4096;
    private static final Pattern NUMBER = Pattern.compile("(?<![0-9.])(\\d+\\.\\d+\\.\\d+)(?![0-9.])");

    private OpenShellProgram() {}

    /** The version that {@code openshell --version} prints. @throws Failure for none, and for an unknown one */
    public static String version(Surroundings surroundings) {
        Path program = Arrays.stream(surroundings.variable("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "openshell"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> Failure.failed(
                        "There is no openshell on PATH.", "Install OpenShell 0.1.6, or choose --driver local."));
        Matcher number = NUMBER.matcher(printed(program));
        String version = number.find() ? number.group(1) : "an unreadable version";
        if (!KNOWN.contains(version)) {
            throw Failure.failed(
                    program + " answers " + version + "; Berth knows " + String.join(" and ", KNOWN) + ".",
                    "Nothing was written.");
        }
        return version;
    }

    private static String printed(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectInput(new File("/dev/null"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            CompletableFuture<byte[]> text = CompletableFuture.supplyAsync(() -> read(process));
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw Failure.failed(program + " does not answer within " + PATIENCE_SECONDS + " s.", null);
            }
            return new String(text.join(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw Failure.failed(program + " does not run.", null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted while asking " + program + ".", null);
        }
    }

    private static byte[] read(Process process) {
        try {
            return process.getInputStream().readNBytes(MOST_BYTES);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
