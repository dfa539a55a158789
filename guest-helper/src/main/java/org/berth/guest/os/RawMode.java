package org.berth.guest.os;

import java.nio.ByteBuffer;

/** Hands every key of a terminal on as it is, until closed. Source: termios(3), cfmakeraw; asm-generic/termbits.h. */
public final class RawMode implements AutoCloseable {
    private static final long TCGETS = 0x5401;
    private static final long TCSETSW = 0x5403;
    private static final int TERMIOS_BYTES = 64;
    /** IGNBRK, BRKINT, PARMRK, ISTRIP, INLCR, IGNCR, ICRNL, IXON. */
    private static final int INPUT = 0x1 | 0x2 | 0x8 | 0x20 | 0x40 | 0x80 | 0x100 | 0x400;

    private static final int OPOST = 0x1;
    /** ISIG, ICANON, ECHO, ECHONL, IEXTEN. */
    private static final int LOCAL = 0x1 | 0x2 | 0x8 | 0x40 | 0x8000;

    private static final int CSIZE_PARENB = 0x30 | 0x100;
    private static final int CS8 = 0x30;

    private final int fd;
    private final ByteBuffer before;

    private RawMode(int fd, ByteBuffer before) {
        this.fd = fd;
        this.before = before;
    }

    /** @return null when {@code fd} is no terminal */
    public static RawMode of(int fd) {
        ByteBuffer termios = Kernel.memory(TERMIOS_BYTES);
        if (Kernel.call(Syscall.IOCTL, fd, TCGETS, termios, 0) < 0) {
            return null;
        }
        ByteBuffer before = Kernel.memory(TERMIOS_BYTES);
        before.put(termios.duplicate()).clear();
        termios.putInt(0, termios.getInt(0) & ~INPUT);
        termios.putInt(4, termios.getInt(4) & ~OPOST);
        termios.putInt(8, termios.getInt(8) & ~CSIZE_PARENB | CS8);
        termios.putInt(12, termios.getInt(12) & ~LOCAL);
        set(fd, termios);
        return new RawMode(fd, before);
    }

    private static void set(int fd, ByteBuffer termios) {
        Kernel.require("tcsetattr", Kernel.call(Syscall.IOCTL, fd, TCSETSW, termios, 0));
    }

    @Override
    public void close() {
        set(fd, before);
    }
}
