package org.berth.guest.os;

import java.nio.ByteBuffer;

/**
 * What statx tells of a file.
 *
 * @param mode kind and permissions
 * @param modifiedSeconds and the next: the time of the last change of its bytes
 */
public record FileStatus(int mode, long links, long size, long modifiedSeconds, int modifiedNanos) {
    /** Bytes of struct statx. Source: linux/stat.h, the same on every machine. */
    static final int BYTES = 256;

    private static final int KIND = 0xf000;
    private static final int REGULAR = 0x8000;
    private static final int DIRECTORY = 0x4000;
    private static final int LINK = 0xa000;

    static FileStatus of(ByteBuffer statx) {
        return new FileStatus(
                Short.toUnsignedInt(statx.getShort(28)),
                Integer.toUnsignedLong(statx.getInt(16)),
                statx.getLong(40),
                statx.getLong(112),
                statx.getInt(120));
    }

    public boolean isRegular() {
        return (mode & KIND) == REGULAR;
    }

    public boolean isDirectory() {
        return (mode & KIND) == DIRECTORY;
    }

    public boolean isLink() {
        return (mode & KIND) == LINK;
    }

    /** Whether nothing was written between this and {@code later}. */
    public boolean sameBytesAs(FileStatus later) {
        return size == later.size && modifiedSeconds == later.modifiedSeconds && modifiedNanos == later.modifiedNanos;
    }
}
