package org.berth.harness.setup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * One process at a time makes the virtual environment. The lock is a file that link(2) publishes whole; its first line is
 * the owner. A lock whose owner is gone is set aside, by one process only: it holds the file's own record lock and has
 * looked that the name still means this file. Source: harness.md, kernel environment.
 */
public final class BootstrapLock implements AutoCloseable {
    /** Record locks belong to a process, and any close of the file drops them: one thread at a time. */
    private static final Object GUARD = new Object();

    /** Each round means that another process went on; then the caller may as well wait. */
    private static final int ROUNDS = 5;

    private static final int MOST_BYTES = 4096;

    private final Path lock;
    private final String text;

    private BootstrapLock(Path lock, String text) {
        this.lock = lock;
        this.text = text;
    }

    /** How an attempt ended. */
    public sealed interface Attempt {
        /** It is this caller's until it is closed. */
        record Held(BootstrapLock lock) implements Attempt {}

        /** Another process has it: that with the number {@code pid}, or one that took it meanwhile. */
        record Busy(Optional<Long> pid) implements Attempt {}
    }

    /**
     * Tries once, and removes what dead processes left. Leaves nothing of its own beside the lock, however it ends.
     *
     * @param lock in a directory that is there
     */
    public static Attempt attempt(Path lock) throws IOException {
        synchronized (GUARD) {
            LockOwner self = LockOwner.current();
            LockLeftovers leftovers = new LockLeftovers(lock);
            leftovers.sweep();
            Path candidate = leftovers.candidate(self.pid());
            String text = self.text() + " " + UUID.randomUUID() + "\n";
            try {
                write(candidate, text);
                for (int round = 0; round < ROUNDS; round++) {
                    try {
                        Files.createLink(lock, candidate);
                        return new Attempt.Held(new BootstrapLock(lock, text));
                    } catch (FileAlreadyExistsException e) {
                        Optional<Long> busy = setAside(lock, leftovers.stale(self.pid()), self);
                        if (busy.isPresent()) {
                            return new Attempt.Busy(busy);
                        }
                    }
                }
                return new Attempt.Busy(Optional.empty());
            } finally {
                Files.deleteIfExists(candidate);
            }
        }
    }

    /** The live process that holds it; empty when there is none. */
    public static Optional<Long> holder(Path lock) throws IOException {
        synchronized (GUARD) {
            try (FileChannel channel = open(lock)) {
                return LockOwner.of(read(channel)).filter(LockOwner::alive).map(LockOwner::pid);
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
        }
    }

    /** Gives the lock back. */
    @Override
    public void close() throws IOException {
        synchronized (GUARD) {
            try (FileChannel channel = open(lock)) {
                if (!read(channel).equals(text)) {
                    return;
                }
            } catch (NoSuchFileException e) {
                return;
            }
            Files.deleteIfExists(lock);
        }
    }

    /** Empty when the name may be free now; else the process that keeps it. */
    private static Optional<Long> setAside(Path lock, Path stale, LockOwner self) throws IOException {
        try (FileChannel channel = open(lock)) {
            String seen = read(channel);
            Optional<LockOwner> owner = LockOwner.of(seen);
            if (owner.isPresent() && owner.get().alive()) {
                return owner.map(LockOwner::pid);
            }
            try (FileLock exclusive = channel.tryLock();
                    FileChannel named = open(lock)) {
                if (exclusive == null || !read(named).equals(seen)) {
                    return Optional.empty();
                }
                channel.write(ByteBuffer.wrap((self.text() + "\n").getBytes(StandardCharsets.UTF_8)), channel.size());
                Files.move(lock, stale, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } finally {
            Files.deleteIfExists(stale);
        }
        return Optional.empty();
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    private static String read(FileChannel channel) throws IOException {
        channel.position(0);
        return new String(Channels.newInputStream(channel).readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    }

    private static void write(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }
}
