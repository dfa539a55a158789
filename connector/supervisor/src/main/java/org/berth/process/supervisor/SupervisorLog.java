package org.berth.process.supervisor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/** What the operator reads: one line each, in a file of bounded size and one older file. Safe for any thread. */
final class SupervisorLog {
    private static final long MAX_BYTES = 1024 * 1024;

    private final Path file;

    SupervisorLog(Path file) {
        this.file = file;
    }

    synchronized void line(String text) {
        byte[] line = (Instant.now() + " " + text.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            if (Files.exists(file) && Files.size(file) > MAX_BYTES) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            try (var channel = Files.newByteChannel(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                channel.write(ByteBuffer.wrap(line));
            }
        } catch (IOException e) {
            // A full disk must not end the supervisor; the journal reports it to the server.
        }
    }

    void failure(Throwable failure) {
        StringBuilder text = new StringBuilder("failure: ").append(failure);
        for (StackTraceElement each : failure.getStackTrace()) {
            text.append(" at ").append(each);
        }
        line(text.toString());
    }
}
