package org.berth.harness.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What statx tells of a file.
 *
 * @param mode kind and permissions
 * @param modifiedNanos the last change of its bytes, nanoseconds since 1970
 * @param changedNanos the last change of its bytes or its attributes, which no program can set, nanoseconds since 1970
 * @param device and {@code inode}: which file it is
 */
public record Status(int mode, long size, long modifiedNanos, long changedNanos, long device, long inode) {
    /** Bytes of struct statx and what is asked for. Source: linux/stat.h, the same on every machine. */
    static final int BYTES = 256;

    static final int BASIC = 0x7ff;

    private static final int KIND = 0xf000;
    private static final int REGULAR = 0x8000;
    private static final int DIRECTORY = 0x4000;
    private static final int LINK = 0xa000;
    private static final int OWNER_EXECUTES = 0100;
    private static final int PERMISSIONS = 0777;
    private static final long NANOS = 1_000_000_000L;

    static Status of(MemorySegment statx) {
        return new Status(
                Short.toUnsignedInt(statx.get(ValueLayout.JAVA_SHORT, 28)),
                statx.get(ValueLayout.JAVA_LONG, 40),
                statx.get(ValueLayout.JAVA_LONG, 112) * NANOS + statx.get(ValueLayout.JAVA_INT, 120),
                statx.get(ValueLayout.JAVA_LONG, 96) * NANOS + statx.get(ValueLayout.JAVA_INT, 104),
                (long) statx.get(ValueLayout.JAVA_INT, 136) << 32
                        | Integer.toUnsignedLong(statx.get(ValueLayout.JAVA_INT, 140)),
                statx.get(ValueLayout.JAVA_LONG, 32));
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

    /** Whether its owner may execute it: the one permission that git carries. */
    public boolean isExecutable() {
        return (mode & OWNER_EXECUTES) != 0;
    }

    /** Read, write and execute of owner, group and others. */
    public int permissions() {
        return mode & PERMISSIONS;
    }

    /** Whether this is the same file as {@code other}, whatever its name. */
    public boolean isSameFile(Status other) {
        return device == other.device && inode == other.inode;
    }
}
