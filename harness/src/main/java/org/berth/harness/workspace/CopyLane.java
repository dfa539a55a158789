package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.Names;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.OsException;
import org.berth.harness.tree.Status;

/** One thread's part of a copy. A file is read once and kept twice, so that base and copy are the same whoever writes it. */
final class CopyLane implements Lanes.LaneWork<TreeCopy.Part> {
    /** Larger ones are files of their own in the base. Source: own choice; the kernel copies them without our memory. */
    private static final int MAX_PACKED_BYTES = 128 << 10;

    private static final int BUFFER_BYTES = 128 << 10;

    private final TreeCopy copy;
    private final Pack.Writer pack;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES);

    CopyLane(TreeCopy copy) {
        this.copy = copy;
        this.pack = copy.pack().writer();
    }

    @Override
    public void on(TreeCopy.Part part) throws IOException {
        List<Manifest.File> made = new ArrayList<>(part.files().size());
        try (Directory from = open(part.path());
                Directory child = copy.child().descendMaking(part.path())) {
            for (Entry entry : from == null ? List.<Entry>of() : part.files()) {
                Manifest.File file = entry.kind() == Entry.Kind.LINK
                        ? link(from, child, entry.name())
                        : file(from, child, part.path(), entry.name());
                if (file != null) {
                    made.add(file);
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

    private Manifest.File link(Directory from, Directory child, String name) throws IOException {
        Status status = from.status(name);
        if (status == null || !status.isLink()) {
            return null;
        }
        byte[] target = Names.encode(from.readLink(name));
        child.link(name, Names.decode(target, 0, target.length));
        pack.room(target.length).copyFrom(MemorySegment.ofArray(target));
        return new Manifest.File(name, Print.of(child.status(name)), pack.keep(target.length));
    }

    /** Null when the file went away since it was listed, or became another thing. */
    private Manifest.File file(Directory from, Directory child, String path, String name) throws IOException {
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
            return copy.clones() || status.size() > MAX_PACKED_BYTES
                    ? large(source, status, child, path, name)
                    : small(source, status, child, name);
        }
    }

    private Manifest.File small(OpenFile source, Status status, Directory child, String name) throws IOException {
        MemorySegment room = pack.room(status.size());
        int length = source.read(room);
        try (OpenFile target = child.create(name, status.permissions())) {
            target.write(room, length);
            copy.copied(length);
            return new Manifest.File(name, Print.of(target.status()), pack.keep(length));
        }
    }

    private Manifest.File large(OpenFile source, Status status, Directory child, String path, String name)
            throws IOException {
        try (Directory base = copy.base().descendMaking(path)) {
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
                return new Manifest.File(name, Print.of(second.status()), Manifest.File.NOT_PACKED);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            pack.finish();
        } finally {
            pack.close();
            arena.close();
        }
    }
}
