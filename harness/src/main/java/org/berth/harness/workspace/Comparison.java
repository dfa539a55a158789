package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.Status;

/** Whether two paths hold the same: bytes and executable bit of a file, the target of a link. For one thread. */
final class Comparison implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment first = arena.allocate(BUFFER_BYTES);
    private final MemorySegment second = arena.allocate(BUFFER_BYTES);

    /** Whether both trees have the same file or link at {@code path}, or both nothing. */
    boolean isSame(Directory one, Directory other, String path) throws IOException {
        try (Place left = Place.of(one, path);
                Place right = Place.of(other, path)) {
            return isSame(left, right);
        }
    }

    private boolean isSame(Place left, Place right) throws IOException {
        if (left.isEmpty() || right.isEmpty()) {
            return left.isEmpty() && right.isEmpty();
        }
        Status one = left.status();
        Status other = right.status();
        if (one.isLink() && other.isLink()) {
            return left.directory()
                    .readLink(left.name())
                    .equals(right.directory().readLink(right.name()));
        }
        if (!one.isRegular()
                || !other.isRegular()
                || one.isExecutable() != other.isExecutable()
                || one.size() != other.size()) {
            return false;
        }
        try (OpenFile file = left.directory().file(left.name());
                OpenFile otherFile = right.directory().file(right.name())) {
            return file.hasSameBytes(otherFile, first, second);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
