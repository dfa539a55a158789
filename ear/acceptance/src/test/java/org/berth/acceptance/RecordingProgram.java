package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Takes the place of an agent's program under its name: does what its script says in the agent's
 * directory, notes its start, and stays until it may go. What it was given is read from /proc meanwhile.
 */
public final class RecordingProgram {
    private static final String HEAD = """
            #!/bin/sh
            D=$(dirname "$0")
            [ ! -e "$D/script" ] || . "$D/script"
            echo $$ >> "$D/starts"
            echo "answer of $$"
            while [ ! -e "$D/go" ]; do sleep 0.05; done
            """;

    private final Path directory;
    private final Path program;

    /** @param directory a new directory that the server's user can use */
    public RecordingProgram(BerthServer server, String name) {
        directory = server.directory("program");
        program = directory.resolve(name);
        write(program, HEAD);
        try {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.give(directory);
    }

    /** Where it is. */
    public Path path() {
        return program;
    }

    /** What later starts do first; in {@code sh}, with {@code $D} the directory of its own files. */
    public RecordingProgram script(String script) {
        write(directory.resolve("script"), script);
        return this;
    }

    /** Those that run and later ones may end. */
    public void go() {
        write(directory.resolve("go"), "");
    }

    /** Later starts stay again. */
    public void stay() {
        try {
            Files.deleteIfExists(directory.resolve("go"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process ids of its starts. */
    public List<Long> starts() {
        Path starts = directory.resolve("starts");
        return Files.exists(starts)
                ? BerthServer.read(starts).lines().map(Long::valueOf).toList()
                : List.of();
    }

    /** The newest start's process id, once there are {@code count} starts. */
    public long awaitStart(int count) {
        return Await.value("start " + count + " of " + program, this::starts, seen -> seen.size() >= count)
                .getLast();
    }

    /** The arguments that a running start was given, after the program's name. */
    public List<String> arguments(long pid) {
        List<String> all = Proc.arguments(pid);
        return all.subList(all.indexOf(program.toString()) + 1, all.size());
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
