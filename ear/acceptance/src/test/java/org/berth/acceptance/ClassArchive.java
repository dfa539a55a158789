package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The server's classes as the JVM maps them, written once for a whole run of the suite: each of its many boots then takes an
 * eighth less processor time. A run of chosen tests does without. Source: java(1), -XX:ArchiveClassesAtExit.
 */
final class ClassArchive {
    private static final boolean WANTED = Boolean.getBoolean("berth.acceptance.archive");
    private static final Path FILE = BerthServer.DIRECTORY.resolve("server.jsa");
    private static final String QUIET = "-Xlog:cds=off -Xlog:cds+dynamic=off";

    private ClassArchive() {}

    /** The options of a start; none until there is an archive. */
    static List<String> options() {
        return WANTED && Files.exists(FILE) ? List.of("-XX:SharedArchiveFile=" + FILE, QUIET) : List.of();
    }

    /** Writes it with a server of its own, unless it is there or another JVM of this run writes it. */
    static void prepare() {
        if (!WANTED || Files.exists(FILE)) {
            return;
        }
        Path lock = BerthServer.DIRECTORY.resolve("server.jsa.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            if (held != null) {
                write();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write() throws IOException {
        try (BerthServer server = BerthServer.create("archive")) {
            Path archive = server.directory("archive").resolve("server.jsa");
            server.javaOptions("-XX:ArchiveClassesAtExit=" + archive, QUIET)
                    .start()
                    .stop();
            Files.move(archive, FILE, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
