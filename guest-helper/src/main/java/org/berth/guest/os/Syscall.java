package org.berth.guest.os;

/** Numbers of system calls. Source: asm/unistd_64.h (x86-64) and asm-generic/unistd.h (aarch64). */
public enum Syscall {
    READ(0, 63),
    WRITE(1, 64),
    CLOSE(3, 57),
    IOCTL(16, 29),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SHUTDOWN(48, 210),
    BIND(49, 200),
    LISTEN(50, 201),
    GETSOCKOPT(55, 209),
    WAIT4(61, 260),
    FCNTL(72, 25),
    FLOCK(73, 32),
    FSYNC(74, 82),
    CHDIR(80, 49),
    FCHMOD(91, 52),
    PRCTL(157, 167),
    WAITID(247, 95),
    INOTIFY_ADD_WATCH(254, 27),
    OPENAT(257, 56),
    MKDIRAT(258, 34),
    UNLINKAT(263, 35),
    PPOLL(271, 73),
    ACCEPT4(288, 242),
    INOTIFY_INIT1(294, 26),
    RENAMEAT2(316, 276),
    STATX(332, 291),
    PIDFD_SEND_SIGNAL(424, 424),
    PIDFD_OPEN(434, 434);

    private final int x86;
    private final int aarch64;

    Syscall(int x86, int aarch64) {
        this.x86 = x86;
        this.aarch64 = aarch64;
    }

    int number() {
        return Machine.AARCH64 ? aarch64 : x86;
    }
}
