package org.berth.harness.tree;

import java.io.IOException;

/** A call of the kernel failed; the message names the call, the name it was about, and the reason. */
public final class OsException extends IOException {
    /** Error numbers of Linux. Source: asm-generic/errno-base.h and errno.h. */
    static final int EPERM = 1;

    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int ENXIO = 6;
    static final int EACCES = 13;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENODEV = 19;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENOTTY = 25;
    static final int ENOSPC = 28;
    static final int ENAMETOOLONG = 36;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;
    static final int EOPNOTSUPP = 95;

    private final int errno;

    OsException(String call, String name, int errno) {
        super(call + " " + name + ": " + sentence(errno));
        this.errno = errno;
    }

    /** Nothing has that name, or a part of the way is no directory (a link is none). */
    public boolean isMissing() {
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
    }

    /** This user may not do it. */
    public boolean isDenied() {
        return errno == EACCES || errno == EPERM;
    }

    /** The name is taken. */
    public boolean isTaken() {
        return errno == EEXIST;
    }

    /** A directory is where a file was asked for, or a full one where an empty one was. */
    public boolean isDirectoryInTheWay() {
        return errno == EISDIR || errno == ENOTEMPTY || errno == EEXIST;
    }

    /** A link, or another thing that is no directory, is where a directory was asked for. */
    public boolean isNoDirectory() {
        return errno == ENOTDIR || errno == ELOOP;
    }

    private static String sentence(int errno) {
        return switch (errno) {
            case EPERM, EACCES -> "permission denied";
            case ENOENT -> "there is no such file";
            case EEXIST -> "the name is taken";
            case ENOTDIR -> "not a directory";
            case EISDIR -> "it is a directory";
            case ENOSPC -> "no space is left";
            case ENAMETOOLONG -> "the name is too long";
            case ENOTEMPTY -> "the directory is not empty";
            case ELOOP -> "it is a link";
            default -> "error number " + errno;
        };
    }
}
