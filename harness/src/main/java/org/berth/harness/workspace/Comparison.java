package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Names;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.Status;

/** Whether two paths hold the same: bytes and executable bit of a file, the target of a link. For one thread. */
final class Comparison implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;

    private final Directory base;
    private final OpenFile pack;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment first = arena.allocate(BUFFER_BYTES);
    private final MemorySegment second = arena.allocate(BUFFER_BYTES);

    /** {@code pack} is closed with this. */
    Comparison(Directory base, OpenFile pack) {
        this.base = base;
        this.pack = pack;
    }

    /** Whether {@code tree} has at {@code path} what the child found there. */
    boolean isBase(Directory tree, String path, Manifest.File found) throws IOException {
        try (Place place = Place.of(tree, path)) {
            Status status = place.file();
            if (status == null || status.isLink() != found.print().isLink()) {
                return false;
            }
            if (status.isLink()) {
                return holds(found, Names.encode(place.directory().readLink(place.name())));
            }
            if (status.isExecutable() != found.print().isExecutable()
                    || status.size() != found.print().size()) {
                return false;
            }
            try (OpenFile file = place.directory().file(place.name())) {
                return found.isPacked()
                        ? file.hasBytesOf(pack, found.packedAt(), found.print().size(), first, second)
                        : isBaseFile(file, path);
            }
        }
    }

    private boolean isBaseFile(OpenFile file, String path) throws IOException {
        try (Place place = Place.of(base, path)) {
            if (place.file() == null) {
                throw new IOException("the workspace's base has lost " + path);
            }
            try (OpenFile found = place.directory().file(place.name())) {
                return file.hasSameBytes(found, first, second);
            }
        }
    }

    private boolean holds(Manifest.File found, byte[] target) throws IOException {
        if (target.length != found.print().size()) {
            return false;
        }
        MemorySegment into = first.asSlice(0, target.length);
        return pack.read(into, found.packedAt()) == target.length
                && MemorySegment.ofArray(target).mismatch(into) < 0;
    }

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
        pack.close();
    }
}
