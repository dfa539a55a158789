package org.berth.host.service;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.OsException;
import org.berth.harness.tree.Status;

/**
 * Small files below a directory that is trusted, reached descriptor by descriptor: no link below that directory is ever
 * followed. Source: placement.md, login write-back.
 */
public final class NoFollowFiles {
    private static final int OTHERS_READ_OR_WRITE = 0066;
    private static final int PRIVATE_FILE = 0600;

    private NoFollowFiles() {}

    /** A file is there, and may not be used. The message is a fixed phrase, without a path or a native text. */
    public static final class UnusableFileException extends IOException {
        private static final long serialVersionUID = 1L;

        UnusableFileException(String phrase) {
            super(phrase);
        }

        UnusableFileException(String phrase, IOException cause) {
            super(phrase, cause);
        }
    }

    /**
     * The bytes of the regular file at {@code relative} below {@code base}; empty when there is none.
     *
     * @param secret refuses a file that others may read or write
     * @throws UnusableFileException for a link on the way, what is no regular file, one over {@code mostBytes}, one that is
     *     not private, and one that this user may not read
     */
    public static Optional<byte[]> read(Path base, String relative, int mostBytes, boolean secret)
            throws UnusableFileException {
        try (Directory root = Directory.open(base);
                Directory parent = root.descend(parent(relative));
                OpenFile file = parent.file(name(relative))) {
            require(file.status(), mostBytes, secret);
            return Optional.of(content(file, mostBytes));
        } catch (IOException e) {
            return missing(e);
        }
    }

    /** As {@link #read}, by metadata only: whether the file is there, its bytes unopened. */
    public static boolean exists(Path base, String relative, int mostBytes, boolean secret)
            throws UnusableFileException {
        try (Directory root = Directory.open(base);
                Directory parent = root.descend(parent(relative))) {
            Status status = parent.status(name(relative));
            if (status == null) {
                return false;
            }
            require(status, mostBytes, secret);
            return true;
        } catch (IOException e) {
            return missing(e).isPresent();
        }
    }

    /**
     * Replaces {@code name} in {@code parent} by a private file with these bytes: temporary name, fsync, rename. The
     * directory is not synchronised yet.
     */
    public static void replace(Directory parent, String name, byte[] content) throws IOException {
        String temporary = "." + UUID.randomUUID();
        boolean renamed = false;
        try {
            try (OpenFile file = parent.create(temporary, PRIVATE_FILE);
                    Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(Math.max(1, content.length));
                MemorySegment.copy(content, 0, bytes, ValueLayout.JAVA_BYTE, 0, content.length);
                file.write(bytes, content.length);
                file.mode(PRIVATE_FILE);
                file.sync();
            }
            parent.rename(temporary, name);
            renamed = true;
        } finally {
            if (!renamed) {
                parent.remove(temporary);
            }
        }
    }

    /** What is before the last part of a relative path; empty for a single name. */
    public static String parent(String relative) {
        return relative.substring(0, Math.max(0, relative.lastIndexOf('/')));
    }

    /** The last part of a relative path. */
    public static String name(String relative) {
        return relative.substring(relative.lastIndexOf('/') + 1);
    }

    private static void require(Status status, int mostBytes, boolean secret) throws UnusableFileException {
        if (!status.isRegular()) {
            throw new UnusableFileException("is no regular file");
        }
        if (secret && (status.permissions() & OTHERS_READ_OR_WRITE) != 0) {
            throw new UnusableFileException("is not private to the server's user");
        }
        if (status.size() > mostBytes) {
            throw new UnusableFileException("is larger than " + mostBytes + " bytes");
        }
    }

    private static byte[] content(OpenFile file, int mostBytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            // One more than allowed: a file that grew after its status was read is refused as well.
            MemorySegment into = arena.allocate(mostBytes + 1L);
            int read = file.read(into);
            if (read > mostBytes) {
                throw new UnusableFileException("is larger than " + mostBytes + " bytes");
            }
            byte[] content = new byte[read];
            MemorySegment.copy(into, ValueLayout.JAVA_BYTE, 0, content, 0, read);
            return content;
        }
    }

    private static Optional<byte[]> missing(IOException failure) throws UnusableFileException {
        switch (failure) {
            case UnusableFileException unusable -> throw unusable;
            case OsException os
            when os.isNoDirectory() ->
                throw new UnusableFileException("is reached through a link, or through what is no directory", os);
            case OsException os
            when os.isMissing() -> {
                return Optional.empty();
            }
            default -> throw new UnusableFileException("cannot be read", failure);
        }
    }
}
