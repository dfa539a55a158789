package org.berth.process.supervisor.os;

/** Error numbers of Linux. Source: asm-generic/errno-base.h and errno.h, the same on x86-64 and aarch64. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int E2BIG = 7;
    public static final int ENOEXEC = 8;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ETXTBSY = 26;
    public static final int ENOSPC = 28;
    public static final int EPIPE = 32;
    public static final int ENOSYS = 38;
    public static final int ELOOP = 40;
    public static final int ELIBBAD = 80;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRINUSE = 98;
    public static final int EDQUOT = 122;

    private Errno() {}

    /** The result of a call whose failure is a defect or an exhausted machine. */
    static long require(String call, long result) {
        if (result < 0) {
            throw new OsException(call, (int) -result);
        }
        return result;
    }
}
