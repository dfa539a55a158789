package org.berth.preparer.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;

/** Runs commands as children of the test, bounded as the supervisor does, and keeps what was asked. */
public final class HostProcesses implements HostCommands {
    final ConcurrentLinkedQueue<List<String>> asked = new ConcurrentLinkedQueue<>();

    @Override
    public CompletionStage<CommandOutcome> run(CommandOrder order) {
        asked.add(order.argv());
        List<String> argv = new ArrayList<>();
        argv.add(order.executable());
        argv.addAll(order.argv());
        ProcessBuilder builder = new ProcessBuilder(argv)
                .directory(Path.of(order.workingDirectory()).toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(order.environment());
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            byte[] output = read(process.getInputStream(), order.outputBytes());
            boolean truncated = output.length > order.outputBytes();
            if (truncated) {
                process.destroyForcibly();
            }
            boolean ended = process.waitFor(order.timeoutMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly();
            return CompletableFuture.completedFuture(new CommandOutcome(
                    truncated || !ended ? -1 : process.exitValue(), output, new byte[0], !ended, truncated));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] read(java.io.InputStream stream, int bound) {
        try (stream) {
            return stream.readNBytes(bound + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often a git command of that name was run. */
    public long count(String verb) {
        return asked.stream().filter(argv -> argv.contains(verb)).count();
    }
}
