package org.berth.acceptance.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.LaunchRequests;
import org.berth.acceptance.Proc;

/**
 * One attempt whose child appends to files of its own: its process id at the start, and what else its script says. The
 * files are read without the server.
 */
final class Child {
    private final Path directory;
    final LaunchRequests launch;
    final String id;

    /** {@code script} runs after the start was appended, in {@code sh}, with {@code $D} the directory of its files. */
    Child(BerthServer server, String script) {
        directory = server.directory("child");
        launch = LaunchRequests.aLaunch()
                .script("D='" + directory + "'; echo $$ >> \"$D/starts\"; " + script)
                .timeout("retain_ms", 300_000)
                .timeout("stop_grace_ms", 1_500);
        id = launch.attemptId();
    }

    /** A child that ends at the {@link #go()}, with {@code code}. */
    static Child untilGo(BerthServer server, int code) {
        return new Child(server, "while [ ! -e \"$D/go\" ]; do sleep 0.2; done; exit " + code);
    }

    /** Notes a TERM and exits with {@code code}. The shell reports killed commands, which must not meet a broken pipe. */
    static Child untilTerm(BerthServer server, int code) {
        return new Child(
                server,
                "exec 2>/dev/null; trap 'echo term >> \"$D/signals\"; exit " + code
                        + "' TERM; while :; do sleep 0.1; done");
    }

    Child start(Api api) {
        api.prepared(launch);
        api.start(id).expect(200);
        return this;
    }

    void go() {
        try {
            Files.createFile(directory.resolve("go"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    List<String> lines(String name) {
        try {
            Path file = file(name);
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> starts() {
        return lines("starts");
    }

    /** The id that the child itself wrote, waited for. */
    long pid() {
        return Long.parseLong(Await.value("a start of " + id, this::starts, lines -> !lines.isEmpty())
                .getFirst());
    }

    boolean lives() {
        return Proc.lives(pid());
    }

    void awaitGone() {
        long pid = pid();
        Await.until("process " + pid + " of " + id + " is gone", () -> !Proc.lives(pid));
    }
}
