package org.berth.guest.os;

/** Error numbers of Linux. Source: asm-generic/errno-base.h and errno.h. */
public final class Errno {
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int EEXIST = 17;
    public static final int ENOTDIR = 20;
    public static final int EINVAL = 22;
    public static final int ENOSYS = 38;

    private Errno() {}
}
