package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.Names;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.OsException;
import org.berth.harness.tree.Status;

/**
 * The tree that changes are taken into: the parent's, or the one of conflicts. Every step is descriptor-relative, and a
 * path changes by one rename of a file that was written beside it under a name that is the same in every run.
 */
final class ParentTree {
    private static final int EXECUTE = 0111;
    private static final int READ = 0444;
    private static final int READ_TO_EXECUTE = 2;
    private static final int PRIVATE_FILE = 0600;
    private static final int TEMPORARY_HEX = 24;

    private final Directory top;
    private final TemporaryNames names;

    /** {@code owner}: whose temporary names these are. */
    ParentTree(Directory top, String owner) {
        this.top = top;
        this.names = new TemporaryNames(owner);
    }

    Directory top() {
        return top;
    }

    /**
     * Whether a file can be at {@code path} once {@code removed} paths are gone: nothing but directories of the base that are
     * then empty may be there, and no file or link where one of its directories goes.
     *
     * @param baseDirectories directories that the child found
     */
    boolean canHold(String path, Set<String> removed, Set<String> baseDirectories) throws IOException {
        try (Place place = Place.of(top, path)) {
            if (place.blockedAt() != null) {
                return removed.contains(place.blockedAt());
            }
            if (place.isEmpty() || place.file() != null) {
                return true;
            }
            if (!place.status().isDirectory() || !baseDirectories.contains(path)) {
                return false;
            }
            try (Directory there = place.directory().directory(place.name())) {
                return isEmptied(there, path, removed);
            }
        }
    }

    private static boolean isEmptied(Directory at, String path, Set<String> removed) throws IOException {
        for (Entry entry : at.list()) {
            String own = path + "/" + entry.name();
            if (entry.kind() != Entry.Kind.DIRECTORY) {
                if (!removed.contains(own)) {
                    return false;
                }
                continue;
            }
            try (Directory below = at.directory(entry.name())) {
                if (!isEmptied(below, own, removed)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Removes what a run that was cut left beside {@code path}. */
    void clear(String path) throws IOException {
        try (Place place = Place.of(top, path)) {
            if (place.directory() != null) {
                place.directory().remove(names.temporary(path));
            }
        }
    }

    /** Writes the file or link that {@code source} has at {@code path} beside that path, and to the disk. */
    void write(Directory source, String path, MemorySegment buffer) throws IOException {
        String temporary = names.temporary(path);
        try (Place from = Place.of(source, path);
                Directory into = top.descendMaking(above(path))) {
            if (from.file() == null) {
                throw new IOException("the child's " + path + " went away during the hand-back");
            }
            into.remove(temporary);
            if (from.status().isLink()) {
                into.link(temporary, from.directory().readLink(from.name()));
            } else {
                write(from, into, temporary, into.status(name(path)), buffer);
            }
        }
    }

    /** Gives what was written beside {@code path} its name, in one rename. */
    void place(String path) throws IOException {
        try (Directory into = top.descend(above(path))) {
            Status there = into.status(name(path));
            if (there != null && there.isDirectory()) {
                removeEmptied(into, name(path));
            }
            into.rename(names.temporary(path), name(path));
        }
    }

    /** Writes the names of the directory at {@code path} to the disk; one that is gone has none. */
    void sync(String path) throws IOException {
        try (Directory at = top.descend(path)) {
            at.sync();
        } catch (OsException e) {
            if (!e.isMissing()) {
                throw e;
            }
        }
    }

    /** The directory of {@code path}, empty for the top. */
    static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void write(Place from, Directory into, String temporary, Status there, MemorySegment buffer)
            throws IOException {
        try (OpenFile source = from.directory().file(from.name());
                OpenFile target = into.create(temporary, PRIVATE_FILE)) {
            Status status = source.status();
            if (!status.isRegular()) {
                throw new IOException("the child's " + from.name() + " became another thing during the hand-back");
            }
            if (!target.cloneOf(source)) {
                target.copyOf(source, buffer);
            }
            target.mode(mode(status, there));
            target.sync();
        }
    }

    /** The parent's own mode with the child's executable bit; the child's where the parent has no file. */
    private static int mode(Status childs, Status there) {
        if (there == null || !there.isRegular()) {
            return childs.permissions();
        }
        int own = there.permissions();
        if (there.isExecutable() == childs.isExecutable()) {
            return own;
        }
        return childs.isExecutable() ? own | (own & READ) >> READ_TO_EXECUTE : own & ~EXECUTE;
    }

    private static void removeEmptied(Directory at, String name) throws IOException {
        try (Directory below = at.directory(name)) {
            for (Entry entry : below.list()) {
                removeEmptied(below, entry.name());
            }
        }
        at.removeEmpty(name);
    }

    /** Removes the file or link at {@code path}. */
    void remove(String path) throws IOException {
        try (Place place = Place.of(top, path)) {
            if (place.file() != null) {
                place.directory().remove(place.name());
            }
        }
    }

    /** Removes the directories above {@code path} that hold nothing any more, as git does. */
    void prune(String path) throws IOException {
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            try (Place place = Place.of(top, path.substring(0, slash))) {
                boolean gone = place.directory() == null
                        || place.isEmpty()
                        || place.status().isDirectory() && place.directory().removeEmpty(place.name());
                if (!gone) {
                    return;
                }
            }
        }
    }

    /** The names of temporary files: the same in every run, another one for each workspace. */
    record TemporaryNames(String owner) {
        String temporary(String path) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(Names.encode(owner + "\0" + path));
                return ".berth-" + HexFormat.of().formatHex(digest).substring(0, TEMPORARY_HEX);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
