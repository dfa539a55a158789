package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.OpenFile;

/**
 * The small files of a base, one after another in one file: making a file costs more than its bytes, and nobody opens those
 * of a base by name. Written by several lanes, each with pieces of its own.
 */
record Pack(OpenFile file, AtomicLong end) implements AutoCloseable {
    /** Bytes of a piece. Source: own choice; a write of it is long beside its call. */
    static final int PIECE_BYTES = 1 << 20;

    private static final int PRIVATE_FILE = 0600;

    /** An empty one, in place of what a cut copy left. */
    static Pack make(Directory directory, String name) throws IOException {
        directory.remove(name);
        return new Pack(directory.create(name, PRIVATE_FILE), new AtomicLong());
    }

    /** One lane's piece, which is filled in memory first. For one thread. */
    final class Writer implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment piece = arena.allocate(PIECE_BYTES);
        private long start = end.getAndAdd(PIECE_BYTES);
        private int used;

        /** Room for {@code bytes}, at most a piece, which the caller fills before it asks for {@link #keep}. */
        MemorySegment room(long bytes) throws IOException {
            if (used + bytes > PIECE_BYTES) {
                write();
                start = end.getAndAdd(PIECE_BYTES);
            }
            return piece.asSlice(used, bytes);
        }

        /** Keeps the first {@code bytes} of the last room. @return where they are in the pack */
        long keep(int bytes) {
            long at = start + used;
            used += bytes;
            return at;
        }

        private void write() throws IOException {
            file.write(piece, used, start);
            used = 0;
        }

        /** Writes what is not written. */
        void finish() throws IOException {
            write();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    Writer writer() {
        return new Writer();
    }

    @Override
    public void close() {
        file.close();
    }
}
