package org.berth.harness.tree;

import java.lang.foreign.ValueLayout;

/** The calls themselves. Source: the manual pages of the same names. */
final class Os {
    static final boolean AARCH64 = "aarch64".equals(System.getProperty("os.arch"));
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int O_DIRECTORY = AARCH64 ? 0x4000 : 0x10000;
    static final int O_NOFOLLOW = AARCH64 ? 0x8000 : 0x20000;
    static final int SEEK_DATA = 3;
    static final int SEEK_HOLE = 4;
    /** Source: linux/fs.h, _IOW(0x94, 9, int). */
    static final long FICLONE = 0x40049409L;

    static final NativeFunction OPENAT = NativeFunction.of("openat", ValueLayout.JAVA_INT, 4, 3);
    static final NativeFunction CLOSE = NativeFunction.ofInt("close", 1);
    static final NativeFunction STATX = NativeFunction.ofInt("statx", 5);
    static final NativeFunction READ = NativeFunction.ofLong("read", 3);
    static final NativeFunction PREAD = NativeFunction.ofLong("pread", 4);
    static final NativeFunction WRITE = NativeFunction.ofLong("write", 3);
    static final NativeFunction PWRITE = NativeFunction.ofLong("pwrite", 4);
    static final NativeFunction GETDENTS = NativeFunction.ofLong("getdents64", 3);
    static final NativeFunction MKDIRAT = NativeFunction.ofInt("mkdirat", 3);
    static final NativeFunction UNLINKAT = NativeFunction.ofInt("unlinkat", 3);
    static final NativeFunction RENAMEAT = NativeFunction.ofInt("renameat", 4);
    static final NativeFunction SYMLINKAT = NativeFunction.ofInt("symlinkat", 3);
    static final NativeFunction READLINKAT = NativeFunction.ofLong("readlinkat", 4);
    static final NativeFunction FCHMOD = NativeFunction.ofInt("fchmod", 2);
    static final NativeFunction FCHMODAT = NativeFunction.ofInt("fchmodat", 4);
    static final NativeFunction FTRUNCATE = NativeFunction.ofInt("ftruncate", 2);
    static final NativeFunction LSEEK = NativeFunction.ofLong("lseek", 3);
    static final NativeFunction FSYNC = NativeFunction.ofInt("fsync", 1);
    static final NativeFunction IOCTL = NativeFunction.of("ioctl", ValueLayout.JAVA_INT, 3, 2);
    static final NativeFunction COPY_FILE_RANGE = NativeFunction.ofLong("copy_file_range", 6);

    private Os() {}

    /** The result, unless it is an error number below zero. */
    static long require(String call, String name, long result) throws OsException {
        if (result < 0) {
            throw new OsException(call, name, (int) -result);
        }
        return result;
    }
}
