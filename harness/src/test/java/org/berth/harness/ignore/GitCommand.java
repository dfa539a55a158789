package org.berth.harness.ignore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The git of this machine, to compare with. */
public final class GitCommand {
    private GitCommand() {}

    /** Whether there is one. */
    public static boolean isThere() {
        try {
            return new ProcessBuilder("git", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs git in {@code directory}, with no settings of the user; {@code home} holds those of the test. */
    public static String run(Path home, Path directory, String... arguments) {
        try {
            ProcessBuilder builder = new ProcessBuilder(
                    Stream.concat(Stream.of("git"), Arrays.stream(arguments)).toList());
            builder.environment().keySet().removeIf(name -> name.startsWith("GIT_") || name.startsWith("XDG_"));
            builder.environment().put("HOME", home.toString());
            builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
            Process process = builder.directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(List.of(arguments) + ": " + out);
            }
            return out;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
