package org.berth.harness.setup;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the virtual environment under the bootstrap lock. What is not whole and checked is removed again. */
final class VenvBuild {
    /** A session's commands copy local files. */
    private static final Duration SESSION_BOUND = Duration.ofMinutes(2);

    /** An install downloads some 30 MB. */
    private static final Duration INSTALL_BOUND = Duration.ofMinutes(20);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final KernelFiles files;
    private final Map<String, String> environment;
    private final Programs programs;
    private final Consumer<String> progress;

    VenvBuild(KernelFiles files, Map<String, String> environment, Programs programs, Consumer<String> progress) {
        this.files = files;
        this.environment = environment;
        this.programs = programs;
        this.progress = progress;
    }

    /** Waits for its turn, then runs the commands, unless another process has made it meanwhile. @return what failed */
    Optional<String> run(SetupBy by, SetupStep.Build build) throws IOException {
        Optional<Path> uv = HostPython.onPath("uv", environment.getOrDefault("PATH", ""));
        if (uv.isEmpty()) {
            return Optional.of("there is no uv on PATH");
        }
        Duration bound = by == SetupBy.SESSION ? SESSION_BOUND : INSTALL_BOUND;
        long deadline = System.nanoTime() + bound.toNanos();
        boolean told = false;
        while (true) {
            switch (BootstrapLock.attempt(files.bootstrapLock())) {
                case BootstrapLock.Attempt.Held(BootstrapLock lock) -> {
                    try (lock) {
                        return files.found() == VenvFound.CHECKED ? Optional.empty() : make(uv.get(), build, bound);
                    }
                }
                case BootstrapLock.Attempt.Busy(Optional<Long> pid) -> {
                    String who = pid.map(number -> "process " + number).orElse("another process");
                    if (System.nanoTime() - deadline >= 0) {
                        return Optional.of(who + " still makes it");
                    }
                    if (!told) {
                        progress.accept(who + " makes it already; waiting");
                        told = true;
                    }
                    pause();
                }
            }
        }
    }

    private Optional<String> make(Path uv, SetupStep.Build build, Duration bound) throws IOException {
        String digest = files.digest();
        files.remove();
        boolean whole = false;
        try {
            for (UvCommand command : build.commands()) {
                progress.accept((command.offline() ? "making " : "fetching ")
                        + command.action().title());
                Optional<String> failure = failure(uv, command, bound);
                if (failure.isPresent()) {
                    return failure;
                }
            }
            files.vouch(digest);
            whole = true;
            return Optional.empty();
        } finally {
            if (!whole) {
                files.remove();
            }
        }
    }

    private Optional<String> failure(Path uv, UvCommand command, Duration bound) throws IOException {
        String which = command.action().title() + ": ";
        try {
            Programs.Ended ended = programs.run(command.argv(uv, files), bound);
            return ended.good() ? Optional.empty() : Optional.of(which + oneLine(ended));
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            return Optional.of(which + e.getMessage());
        }
    }

    private static String oneLine(Programs.Ended ended) {
        String text = ended.output().strip().replaceAll("\\s*\\R\\s*", "; ");
        return "uv ended with " + ended.exitCode() + (text.isEmpty() ? "" : ": " + text);
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another process made the kernel's Python");
        }
    }
}
