package org.berth.process.supervisor.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Errno;

/**
 * Appends entries and tells when they are on the disk. One thread takes all that waits, writes it and syncs once. Every
 * attempt has disk space reserved from its spawn on, so that a disk that fills later cannot withhold its exit; without
 * that space the spawn is refused.
 */
public final class Journal {
    /** Bytes reserved for one attempt: an exit with 16 survivors, a stop's steps and the output's end fit in it. */
    static final int RESERVED_PER_ATTEMPT = 8192;

    /** The file is made shorter when it grew by this many bytes. */
    private static final long SHORTEN_AFTER = 4 * 1024 * 1024;

    /** Space is reserved in steps of this many bytes. */
    private static final long RESERVE_STEP = 256 * 1024;

    /** Milliseconds between two tries to write to a full disk. */
    private static final long RETRY_MILLIS = 500;

    private record Task(Entry entry, boolean refusable, Consumer<Boolean> done) {}

    private final Path file;
    private final JournalState state;
    private final Consumer<Runnable> loop;
    private final Consumer<String> log;
    private final LinkedBlockingQueue<Task> queue = new LinkedBlockingQueue<>();
    private final List<Task> held = new ArrayList<>();
    private MemorySegment buffer = Arena.ofAuto().allocate(64 * 1024);
    private int fd = -1;
    private long size;
    private long reserved;
    private long shortSize;

    private Journal(Path file, JournalState state, Consumer<Runnable> loop, Consumer<String> log) {
        this.file = file;
        this.state = state;
        this.loop = loop;
        this.log = log;
    }

    /**
     * Opens the journal, shortened, and starts its thread.
     *
     * @param recovered filled with what the file told
     * @param loop runs what entries' writers wait for
     * @throws IOException when the file cannot be read or replaced
     */
    public static Journal open(Path file, JournalState recovered, Consumer<Runnable> loop, Consumer<String> log)
            throws IOException {
        long lost = JournalFile.replay(file, recovered);
        if (lost > 0) {
            log.accept("the journal's last " + lost + " bytes were no whole entry; they are in " + file + ".damaged");
        }
        JournalState own = new JournalState();
        recovered.entries().forEach(own::apply);
        Journal journal = new Journal(file, own, loop, log);
        journal.shorten();
        Thread thread = new Thread(null, journal::work, "journal", 512 * 1024);
        thread.setDaemon(true);
        thread.start();
        return journal;
    }

    /** Writes {@code entry}, however long the disk is full. {@code durable} runs on the loop. For any thread. */
    public void append(Entry entry, Runnable durable) {
        queue.add(new Task(entry, false, _ -> durable.run()));
    }

    /** As {@link #append}, with nobody waiting. */
    public void append(Entry entry) {
        queue.add(new Task(entry, false, null));
    }

    /** Writes {@code entry} with an attempt's space reserved, or tells that there is none. */
    public void appendIfSpace(Entry entry, Consumer<Boolean> written) {
        queue.add(new Task(entry, true, written));
    }

    private void work() {
        List<Task> batch = new ArrayList<>();
        while (true) {
            try {
                Task first = held.isEmpty() ? queue.take() : queue.poll(RETRY_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                }
                queue.drainTo(batch);
                commit(batch);
                batch.clear();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.accept("the journal's thread failed: " + e);
                batch.clear();
            }
        }
    }

    private void commit(List<Task> batch) {
        List<Task> writable = new ArrayList<>(held);
        held.clear();
        List<Task> refused = new ArrayList<>();
        int spawns = 0;
        long bytes = 0;
        List<byte[]> records = new ArrayList<>();
        for (Task task : writable) {
            byte[] record = JournalFile.encode(task.entry());
            records.add(record);
            bytes += record.length;
        }
        for (Task task : batch) {
            byte[] record = JournalFile.encode(task.entry());
            if (task.refusable() && !reserve(bytes + record.length, spawns + 1)) {
                refused.add(task);
                continue;
            }
            spawns += task.refusable() ? 1 : 0;
            writable.add(task);
            records.add(record);
            bytes += record.length;
        }
        announce(refused, false);
        if (writable.isEmpty()) {
            return;
        }
        if (write(records, bytes)) {
            writable.forEach(task -> state.apply(task.entry()));
            announce(writable, true);
            if (size - shortSize > SHORTEN_AFTER) {
                shortenOrGoOn();
            }
        } else {
            for (Task task : writable) {
                (task.refusable() ? refused : held).add(task);
            }
            announce(refused.stream().filter(writable::contains).toList(), false);
        }
    }

    private void announce(List<Task> tasks, boolean written) {
        for (Task task : tasks) {
            if (task.done() != null) {
                loop.accept(() -> task.done().accept(written));
            }
        }
    }

    /** Makes sure of space for {@code bytes} and for what every attempt, {@code more} new ones too, may still write. */
    private boolean reserve(long bytes, int more) {
        long needed = size + bytes + (long) (state.liveAttempts() + more) * RESERVED_PER_ATTEMPT;
        if (needed <= reserved) {
            return true;
        }
        int result = Descriptors.reserve(fd, 0, needed + RESERVE_STEP);
        if (result == -Errno.ENOSPC || result == -Errno.EDQUOT) {
            result = Descriptors.reserve(fd, 0, needed);
            if (result < 0) {
                return false;
            }
            reserved = needed;
            return true;
        }
        reserved = needed + RESERVE_STEP;
        return true;
    }

    private boolean write(List<byte[]> records, long bytes) {
        if (buffer.byteSize() < bytes) {
            buffer = Arena.ofAuto().allocate(bytes * 2);
        }
        long at = 0;
        for (byte[] record : records) {
            MemorySegment.copy(record, 0, buffer, ValueLayout.JAVA_BYTE, at, record.length);
            at += record.length;
        }
        long written = 0;
        while (written < bytes) {
            long result = Descriptors.write(fd, buffer.asSlice(written), bytes - written);
            if (result <= 0) {
                return givenUp("write", (int) result, written > 0);
            }
            written += result;
        }
        int result = Descriptors.sync(fd);
        if (result < 0) {
            return givenUp("sync", result, true);
        }
        size += bytes;
        return true;
    }

    private boolean givenUp(String step, int result, boolean partly) {
        log.accept("the journal's " + step + " failed with error number " + -result + "; it is tried again");
        if (partly && Descriptors.truncate(fd, size) < 0) {
            log.accept("the journal could not be cut back; its tail will be found damaged");
        }
        return false;
    }

    private void shortenOrGoOn() {
        try {
            shorten();
        } catch (IOException e) {
            shortSize = size;
            log.accept("the journal could not be made shorter: " + e.getMessage());
        }
    }

    private void shorten() throws IOException {
        long room = (long) state.liveAttempts() * RESERVED_PER_ATTEMPT;
        size = JournalFile.rewrite(file, state.entries(), room);
        shortSize = size;
        Descriptors.close(fd);
        fd = Descriptors.open(file.toString(), Descriptors.O_WRONLY | Descriptors.O_APPEND | Descriptors.O_CLOEXEC, 0);
        if (fd < 0) {
            throw new IOException(file + " cannot be opened");
        }
        reserved = size + room;
    }
}
