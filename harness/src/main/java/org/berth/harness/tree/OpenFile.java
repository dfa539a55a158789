package org.berth.harness.tree;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** An open file. Methods without other word throw {@link OsException}. Used by one thread at a time. */
public final class OpenFile implements AutoCloseable {
    private static final long RANGE_BYTES = 1L << 30;

    private final int fd;
    private final String shown;
    private boolean closed;

    OpenFile(int fd, String shown) {
        this.fd = fd;
        this.shown = shown;
    }

    public Status status() throws IOException {
        return Directory.statusOf(fd, "", Os.AT_EMPTY_PATH, shown);
    }

    /** Reads at the file's own position until {@code into} is full or the file ends. @return bytes read */
    public int read(MemorySegment into) throws IOException {
        int at = 0;
        while (at < into.byteSize()) {
            long read = Os.READ.call(fd, into.address() + at, into.byteSize() - at);
            if (read == -OsException.EINTR) {
                continue;
            }
            Os.require("read", shown, read);
            if (read == 0) {
                break;
            }
            at += (int) read;
        }
        return at;
    }

    /** Reads at {@code offset} until {@code into} is full or the file ends. @return bytes read */
    public int read(MemorySegment into, long offset) throws IOException {
        int at = 0;
        while (at < into.byteSize()) {
            long read = Os.PREAD.call(fd, into.address() + at, into.byteSize() - at, offset + at);
            if (read == -OsException.EINTR) {
                continue;
            }
            Os.require("read", shown, read);
            if (read == 0) {
                break;
            }
            at += (int) read;
        }
        return at;
    }

    /** Writes {@code length} bytes of {@code from}. */
    public void write(MemorySegment from, long length) throws IOException {
        long at = 0;
        while (at < length) {
            long written = Os.WRITE.call(fd, from.address() + at, length - at);
            if (written != -OsException.EINTR) {
                at += Os.require("write", shown, written);
            }
        }
    }

    /** Writes {@code length} bytes of {@code from} at {@code offset}; other threads may write elsewhere meanwhile. */
    public void write(MemorySegment from, long length, long offset) throws IOException {
        long at = 0;
        while (at < length) {
            long written = Os.PWRITE.call(fd, from.address() + at, length - at, offset + at);
            if (written != -OsException.EINTR) {
                at += Os.require("write", shown, written);
            }
        }
    }

    /** Makes this file share the extents of {@code source}. @return false when the file system cannot */
    public boolean cloneOf(OpenFile source) throws IOException {
        long result = Os.IOCTL.call(fd, Os.FICLONE, source.fd);
        if (result >= 0) {
            return true;
        }
        return switch ((int) -result) {
            case OsException.EOPNOTSUPP,
                    OsException.ENOTTY,
                    OsException.EXDEV,
                    OsException.EINVAL,
                    OsException.ENOSYS,
                    OsException.EPERM,
                    OsException.EACCES -> false;
            default -> throw new OsException("clone", shown, (int) -result);
        };
    }

    /**
     * Copies all of {@code source} to here, an empty file; holes stay holes.
     *
     * @param buffer used where the kernel cannot copy by itself
     * @return bytes of the copy
     */
    public long copyOf(OpenFile source, MemorySegment buffer) throws IOException {
        long size = source.status().size();
        long at = 0;
        while (at < size) {
            long data = source.nextData(at, size);
            long hole = data < size ? source.nextHole(data, size) : size;
            seek(data);
            source.seek(data);
            copyRange(source, hole - data, buffer);
            at = hole;
        }
        Os.require("truncate", shown, Os.FTRUNCATE.call(fd, size));
        return size;
    }

    private void copyRange(OpenFile source, long length, MemorySegment buffer) throws IOException {
        long left = length;
        while (left > 0) {
            long copied = Os.COPY_FILE_RANGE.call(source.fd, 0, fd, 0, Math.min(left, RANGE_BYTES), 0);
            if (copied == -OsException.EINTR) {
                continue;
            }
            if (copied <= 0) {
                int read = source.read(buffer.asSlice(0, Math.min(left, buffer.byteSize())));
                if (read == 0) {
                    return;
                }
                write(buffer, read);
                copied = read;
            }
            left -= copied;
        }
    }

    /** Where bytes that are no hole begin, from {@code offset} on; {@code size} when there are none. */
    long nextData(long offset, long size) throws IOException {
        return sought(offset, size, Os.SEEK_DATA, offset);
    }

    private long nextHole(long offset, long size) throws IOException {
        return sought(offset, size, Os.SEEK_HOLE, size);
    }

    private long sought(long offset, long size, int what, long otherwise) throws IOException {
        long found = Os.LSEEK.call(fd, offset, what);
        if (found == -OsException.ENXIO) {
            return size;
        }
        return found < 0 ? otherwise : Math.min(found, size);
    }

    private void seek(long offset) throws IOException {
        Os.require("seek", shown, Os.LSEEK.call(fd, offset, 0));
    }

    /** Whether this file and {@code other} have the same bytes; both buffers have the same size. */
    public boolean hasSameBytes(OpenFile other, MemorySegment buffer, MemorySegment second) throws IOException {
        long size = status().size();
        if (other.status().size() != size) {
            return false;
        }
        long at = 0;
        while (at < size) {
            at = Math.min(nextData(at, size), other.nextData(at, size));
            int read = read(buffer, at);
            int otherRead = other.read(second, at);
            if (read != otherRead || MemorySegment.mismatch(buffer, 0, read, second, 0, read) >= 0) {
                return false;
            }
            if (read == 0) {
                return at >= size;
            }
            at += read;
        }
        return true;
    }

    /**
     * Whether all bytes of this file are those that {@code other} has from {@code offset} on.
     *
     * @param length bytes to compare
     */
    public boolean hasBytesOf(OpenFile other, long offset, long length, MemorySegment buffer, MemorySegment second)
            throws IOException {
        long at = 0;
        while (at < length) {
            long part = Math.min(buffer.byteSize(), length - at);
            int read = read(buffer.asSlice(0, part), at);
            int otherRead = other.read(second.asSlice(0, part), offset + at);
            if (read != part || otherRead != part || MemorySegment.mismatch(buffer, 0, part, second, 0, part) >= 0) {
                return false;
            }
            at += part;
        }
        return status().size() == length;
    }

    /** Sets the file's mode, whatever the umask. */
    public void mode(int permissions) throws IOException {
        Os.require("change mode of", shown, Os.FCHMOD.call(fd, permissions));
    }

    /** Waits until the file is on its disk. */
    public void sync() throws IOException {
        Os.require("sync", shown, Os.FSYNC.call(fd));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Os.CLOSE.call(fd);
        }
    }
}
