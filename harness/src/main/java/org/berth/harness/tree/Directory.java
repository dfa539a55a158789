package org.berth.harness.tree;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * An open directory. A name is one component and a link is never followed; a {@code path} is components with {@code /}
 * between them, walked from here directory by directory. Methods without other word throw {@link OsException}. Safe for
 * any thread until it is closed.
 */
public final class Directory implements AutoCloseable {
    private static final int LISTING_BYTES = 32768;
    private static final int ENTRY_HEAD = 19;
    private static final int EVERYBODY = 0777;

    private final int fd;
    private final String shown;
    private volatile boolean closed;

    private Directory(int fd, String shown) {
        this.fd = fd;
        this.shown = shown;
    }

    /** Opens {@code path}, where links on the way are followed, its last name's too: the caller trusts it. */
    public static Directory open(Path path) throws IOException {
        long fd = Os.OPENAT.call(
                Os.AT_FDCWD, Scratch.get().name(path.toString()), Os.O_RDONLY | Os.O_DIRECTORY | Os.O_CLOEXEC, 0);
        return new Directory((int) Os.require("open", path.toString(), fd), path.toString());
    }

    /** The directory {@code name} of this directory. */
    public Directory directory(String name) throws IOException {
        return new Directory(openAt(name, Os.O_RDONLY | Os.O_DIRECTORY, 0), shown + "/" + name);
    }

    /** The directory at {@code path}; another handle on this one when it is empty. */
    public Directory descend(String path) throws IOException {
        Directory at = path.isEmpty() ? directory(".") : null;
        int from = 0;
        while (from < path.length()) {
            int end = path.indexOf('/', from);
            String name = path.substring(from, end < 0 ? path.length() : end);
            try (Directory left = at) {
                at = (left == null ? this : left).directory(name);
            }
            from = end < 0 ? path.length() : end + 1;
        }
        return at;
    }

    /** As {@link #descend}, where missing directories are made with the mode that the umask leaves. */
    public Directory descendMaking(String path) throws IOException {
        return descendMaking(path, OptionalInt.empty());
    }

    /** As {@link #descendMaking(String)}, where a new directory's mode is what {@code umask} leaves, if it is there. */
    public Directory descendMaking(String path, OptionalInt umask) throws IOException {
        try {
            return descend(path);
        } catch (OsException e) {
            if (!e.isMissing() || e.isNoDirectory()) {
                throw e;
            }
        }
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        try (Directory above = descendMaking(slash < 0 ? "" : path.substring(0, slash), umask)) {
            if (above.make(name, EVERYBODY) && umask.isPresent()) {
                above.mode(name, EVERYBODY & ~umask.getAsInt());
            }
            return above.directory(name);
        }
    }

    /** Opens the file {@code name} for reading; a pipe does not block. */
    public OpenFile file(String name) throws IOException {
        return new OpenFile(openAt(name, Os.O_RDONLY | Os.O_NONBLOCK, 0), shown + "/" + name);
    }

    /** Makes the file {@code name} and opens it for writing; the umask applies. */
    public OpenFile create(String name, int permissions) throws IOException {
        return new OpenFile(openAt(name, Os.O_WRONLY | Os.O_CREAT | Os.O_EXCL, permissions), shown + "/" + name);
    }

    private int openAt(String name, int flags, int mode) throws IOException {
        if (name.equals("..") || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not a name below this directory: " + name);
        }
        long opened = Os.OPENAT.call(fd, Scratch.get().name(name), flags | Os.O_NOFOLLOW | Os.O_CLOEXEC, mode);
        return (int) Os.require("open", shown + "/" + name, opened);
    }

    /** This directory's own status. */
    public Status status() throws IOException {
        return statusOf(fd, "", Os.AT_EMPTY_PATH, shown);
    }

    /** The status of {@code name} itself, also of a link; null when there is no such name. */
    public Status status(String name) throws IOException {
        try {
            return statusOf(fd, name, Os.AT_SYMLINK_NOFOLLOW, shown);
        } catch (OsException e) {
            if (e.isMissing()) {
                return null;
            }
            throw e;
        }
    }

    static Status statusOf(int fd, String name, int flags, String shown) throws IOException {
        Scratch scratch = Scratch.get();
        MemorySegment into = scratch.result();
        Os.require(
                "stat", shown + "/" + name, Os.STATX.call(fd, scratch.name(name), flags, Status.BASIC, into.address()));
        return Status.of(into);
    }

    /** Every name here but {@code .} and {@code ..}, in the directory's own order. */
    public List<Entry> list() throws IOException {
        List<Entry> entries = new ArrayList<>();
        byte[] names = new byte[LISTING_BYTES];
        try (var arena = java.lang.foreign.Arena.ofConfined();
                Directory own = directory(".")) {
            MemorySegment into = arena.allocate(LISTING_BYTES, 8);
            while (true) {
                int bytes = (int) Os.require("list", shown, Os.GETDENTS.call(own.fd, into.address(), LISTING_BYTES));
                if (bytes == 0) {
                    return entries;
                }
                MemorySegment.copy(into, ValueLayout.JAVA_BYTE, 0, names, 0, bytes);
                for (int at = 0; at < bytes; ) {
                    int length = Short.toUnsignedInt(into.get(ValueLayout.JAVA_SHORT, at + 16L));
                    add(entries, names, at, length);
                    at += length;
                }
            }
        }
    }

    private void add(List<Entry> entries, byte[] bytes, int at, int length) throws IOException {
        int end = at + ENTRY_HEAD;
        while (end < at + length && bytes[end] != 0) {
            end++;
        }
        String name = Names.decode(bytes, at + ENTRY_HEAD, end - at - ENTRY_HEAD);
        if (name.equals(".") || name.equals("..")) {
            return;
        }
        Entry.Kind kind = Entry.kind(bytes[at + ENTRY_HEAD - 1]);
        if (kind == Entry.Kind.UNKNOWN) {
            Status status = status(name);
            if (status == null) {
                return;
            }
            kind = Entry.kind(status);
        }
        entries.add(new Entry(name, kind));
    }

    /** Makes the directory {@code name} with the mode that the umask leaves. @return false when something has the name */
    public boolean make(String name, int permissions) throws IOException {
        long result = Os.MKDIRAT.call(fd, Scratch.get().name(name), permissions);
        if (result == -OsException.EEXIST) {
            return false;
        }
        Os.require("make directory", shown + "/" + name, result);
        return true;
    }

    /** Removes the file or link {@code name}; a missing one is removed already. */
    public void remove(String name) throws IOException {
        long result = Os.UNLINKAT.call(fd, Scratch.get().name(name), 0);
        if (result != -OsException.ENOENT) {
            Os.require("remove", shown + "/" + name, result);
        }
    }

    /** Removes the directory {@code name} if it is an empty one. @return whether it is gone */
    public boolean removeEmpty(String name) throws IOException {
        long result = Os.UNLINKAT.call(fd, Scratch.get().name(name), Os.AT_REMOVEDIR);
        if (result == -OsException.ENOTEMPTY || result == -OsException.EEXIST || result == -OsException.ENOTDIR) {
            return false;
        }
        if (result != -OsException.ENOENT) {
            Os.require("remove", shown + "/" + name, result);
        }
        return true;
    }

    /** Renames {@code from} to {@code to}, both here, in place of a file or link that has that name. */
    public void rename(String from, String to) throws IOException {
        Scratch scratch = Scratch.get();
        long result = Os.RENAMEAT.call(fd, scratch.name(from), fd, scratch.second(to));
        Os.require("rename", shown + "/" + from, result);
    }

    /** Makes the link {@code name}. */
    public void link(String name, String target) throws IOException {
        Scratch scratch = Scratch.get();
        long result = Os.SYMLINKAT.call(scratch.second(target), fd, scratch.name(name));
        Os.require("link", shown + "/" + name, result);
    }

    /** What the link {@code name} holds. */
    public String readLink(String name) throws IOException {
        Scratch scratch = Scratch.get();
        MemorySegment into = scratch.result();
        long length = Os.READLINKAT.call(fd, scratch.name(name), into.address(), Scratch.NAME_BYTES);
        Os.require("read link", shown + "/" + name, length);
        byte[] bytes = new byte[(int) length];
        MemorySegment.copy(into, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
        return Names.decode(bytes, 0, bytes.length);
    }

    /** Sets the mode of the file or directory {@code name}; a link is refused. */
    public void mode(String name, int permissions) throws IOException {
        long result = Os.FCHMODAT.call(fd, Scratch.get().name(name), permissions, Os.AT_SYMLINK_NOFOLLOW);
        Os.require("change mode of", shown + "/" + name, result);
    }

    /** Waits until this directory's names are on its disk. */
    public void sync() throws IOException {
        Os.require("sync", shown, Os.FSYNC.call(fd));
    }

    /** The path this directory was reached by, for messages. */
    @Override
    public String toString() {
        return shown;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Os.CLOSE.call(fd);
        }
    }
}
