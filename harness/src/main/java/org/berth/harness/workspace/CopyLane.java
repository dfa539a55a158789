package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.OsException;
import org.berth.harness.tree.Status;

/** One thread's part of a copy. A file is read once and written twice, so that base and copy are the same whoever writes it. */
final class CopyLane implements Lanes.LaneWork<TreeCopy.Part> {
    private static final int BUFFER_BYTES = 256 << 10;

    private final TreeCopy copy;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES);

    CopyLane(TreeCopy copy) {
        this.copy = copy;
    }

    @Override
    public void on(TreeCopy.Part part) throws IOException {
        List<Manifest.File> made = new ArrayList<>(part.files().size());
        try (Directory from = open(part.path());
                Directory base = copy.base().descendMaking(part.path());
                Directory child = copy.child().descendMaking(part.path())) {
            for (Entry entry : from == null ? List.<Entry>of() : part.files()) {
                Print print = entry.kind() == Entry.Kind.LINK
                        ? link(from, base, child, entry.name())
                        : file(from, base, child, entry.name());
                if (print != null) {
                    made.add(new Manifest.File(entry.name(), print));
                }
            }
        }
        copy.done(part, made);
    }

    /** Null when the directory went away since it was listed. */
    private Directory open(String path) throws IOException {
        try {
            return copy.source().descend(path);
        } catch (OsException e) {
            if (e.isMissing()) {
                return null;
            }
            throw e;
        }
    }

    private static Print link(Directory from, Directory base, Directory child, String name) throws IOException {
        String target;
        try {
            target = from.readLink(name);
        } catch (OsException e) {
            if (from.status(name) instanceof Status status && status.isLink()) {
                throw e;
            }
            return null;
        }
        base.link(name, target);
        child.link(name, target);
        return Print.of(child.status(name));
    }

    /** Null when the file went away since it was listed, or became another thing. */
    private Print file(Directory from, Directory base, Directory child, String name) throws IOException {
        OpenFile source;
        try {
            source = from.file(name);
        } catch (OsException e) {
            if (e.isMissing()) {
                return null;
            }
            throw e;
        }
        try (source) {
            Status status = source.status();
            if (!status.isRegular()) {
                return null;
            }
            return copy.clones() || status.size() > BUFFER_BYTES
                    ? large(source, status, base, child, name)
                    : small(source, status, base, child, name);
        }
    }

    private Print small(OpenFile source, Status status, Directory base, Directory child, String name)
            throws IOException {
        int length = source.read(buffer.asSlice(0, status.size()));
        try (OpenFile first = base.create(name, status.permissions())) {
            first.write(buffer, length);
        }
        try (OpenFile second = child.create(name, status.permissions())) {
            second.write(buffer, length);
            copy.copied(length);
            return Print.of(second.status());
        }
    }

    private Print large(OpenFile source, Status status, Directory base, Directory child, String name)
            throws IOException {
        try (OpenFile first = base.create(name, status.permissions())) {
            if (copy.clones() && first.cloneOf(source)) {
                copy.cloned();
            } else {
                copy.clonesNot();
                copy.copied(first.copyOf(source, buffer));
            }
        }
        try (OpenFile first = base.file(name);
                OpenFile second = child.create(name, status.permissions())) {
            if (!copy.clones() || !second.cloneOf(first)) {
                second.copyOf(first, buffer);
            }
            return Print.of(second.status());
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
