package org.berth.harness.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.berth.files.Trees;
import org.berth.harness.setup.model.LockModel;

/** A directory with a bootstrap lock, and two processes: one that runs and one that ended. */
final class LockWorld implements AutoCloseable {
    private static final Process RUNNING = running();

    final Path directory;
    final Path lock;
    final SortedMap<String, LockModel.Kind> files = new TreeMap<>();

    /** Whose a file is. */
    enum Whose {
        /** Of the process that runs. */
        LIVE(true),
        /** Of the process that runs, which had not written it yet. */
        LIVE_UNWRITTEN(true),
        /** Of a process that ended. */
        ENDED(false),
        ENDED_UNWRITTEN(false),
        /** Of an earlier process with the number of the one that runs. */
        EARLIER(false),
        /** Of a process before the machine's last start. */
        BEFORE_BOOT(false);

        final boolean lives;

        Whose(boolean lives) {
            this.lives = lives;
        }

        LockOwner owner() throws IOException {
            LockOwner running = LockOwner.ofProcess(RUNNING.pid());
            return switch (this) {
                case LIVE, LIVE_UNWRITTEN -> running;
                // larger than any process number of Linux
                case ENDED, ENDED_UNWRITTEN -> new LockOwner(1L << 23, running.startTicks(), running.bootId());
                case EARLIER -> new LockOwner(running.pid(), running.startTicks() - 1, running.bootId());
                case BEFORE_BOOT ->
                    new LockOwner(
                            running.pid(),
                            running.startTicks(),
                            UUID.randomUUID().toString());
            };
        }

        boolean written() {
            return this != LIVE_UNWRITTEN && this != ENDED_UNWRITTEN;
        }
    }

    LockWorld() throws IOException {
        directory = Files.createTempDirectory("berth-lock").toRealPath();
        lock = directory.resolve("kernel-venv.bootstrap.lock");
    }

    /** The lock is that of {@code whose}. */
    LockWorld locked(Whose whose) throws IOException {
        Files.writeString(lock, whose.owner().text() + " " + UUID.randomUUID() + "\n");
        return this;
    }

    LockWorld candidate(Whose whose) throws IOException {
        leftover(".candidate-", whose, whose.owner().text() + " " + UUID.randomUUID() + "\n");
        return this;
    }

    /** A lock of somebody who ended long ago, set aside by {@code whose}. */
    LockWorld stale(Whose whose) throws IOException {
        leftover(
                ".stale-",
                whose,
                Whose.ENDED.owner().text() + " " + UUID.randomUUID() + "\n"
                        + whose.owner().text() + "\n");
        return this;
    }

    LockWorld other(String name) throws IOException {
        Files.writeString(directory.resolve(name), "not the lock's");
        files.put(name, LockModel.Kind.OTHER);
        return this;
    }

    /** The names beside the lock. */
    SortedMap<String, LockModel.Kind> there() throws IOException {
        SortedMap<String, LockModel.Kind> there = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            all.filter(file -> !file.equals(lock)).forEach(file -> {
                String name = file.getFileName().toString();
                there.put(name, files.getOrDefault(name, LockModel.Kind.DEAD_LEFTOVER));
            });
        }
        return there;
    }

    private void leftover(String kind, Whose whose, String text) throws IOException {
        String name = lock.getFileName() + kind + whose.owner().pid() + "-" + UUID.randomUUID();
        Files.writeString(directory.resolve(name), whose.written() ? text : "");
        files.put(name, whose.lives ? LockModel.Kind.LIVE_LEFTOVER : LockModel.Kind.DEAD_LEFTOVER);
    }

    private static Process running() {
        try {
            // ends with this process at the latest: its input closes
            return new ProcessBuilder("cat").start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        Trees.remove(directory);
    }
}
