package org.berth.guest.os;

import java.nio.ByteBuffer;

/** A pseudo terminal's master. Reading blocks, so it needs a platform thread. Safe for any thread. */
public final class Pty {
    /** Source: asm-generic/ioctls.h. */
    private static final long TIOCGWINSZ = 0x5413;

    private static final long TIOCSWINSZ = 0x5414;
    private static final long TIOCGPTN = 0x80045430L;
    private static final long TIOCSPTLCK = 0x40045431L;
    private static final int WINSIZE_BYTES = 8;

    private final Handle master;
    private final String slave;

    private Pty(Handle master, String slave) {
        this.master = master;
        this.slave = slave;
    }

    public static Pty open(TerminalSize size) {
        Handle master = Handle.device("/dev/ptmx");
        try {
            ByteBuffer word = Kernel.memory(Integer.BYTES);
            Kernel.require("unlock", Kernel.call(Syscall.IOCTL, master.fd(), TIOCSPTLCK, word, 0));
            Kernel.require("number", Kernel.call(Syscall.IOCTL, master.fd(), TIOCGPTN, word, 0));
            Pty pty = new Pty(master, "/dev/pts/" + word.getInt(0));
            pty.resize(size);
            return pty;
        } catch (RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** The path that the terminal's program opens. */
    public String slave() {
        return slave;
    }

    /** Tells the terminal its size; a change signals its program. */
    public void resize(TerminalSize size) {
        ByteBuffer winsize = Kernel.memory(WINSIZE_BYTES);
        winsize.putShort(0, (short) size.rows()).putShort(2, (short) size.columns());
        Kernel.require("resize", Kernel.call(Syscall.IOCTL, master.fd(), TIOCSWINSZ, winsize, 0));
    }

    /** The size of the terminal that {@code fd} is; null when it is none. */
    public static TerminalSize sizeOf(int fd) {
        ByteBuffer winsize = Kernel.memory(WINSIZE_BYTES);
        if (Kernel.call(Syscall.IOCTL, fd, TIOCGWINSZ, winsize, 0) < 0) {
            return null;
        }
        int rows = Short.toUnsignedInt(winsize.getShort(0));
        int columns = Short.toUnsignedInt(winsize.getShort(2));
        return rows == 0 || columns == 0
                ? null
                : new TerminalSize(Math.min(rows, TerminalSize.MAX), Math.min(columns, TerminalSize.MAX));
    }

    /** @return bytes read; -1 once no program has the terminal open */
    public int read(ByteBuffer into) {
        try {
            int read = master.read(into);
            return read == 0 ? -1 : read;
        } catch (KernelException e) {
            if (e.errno() == Errno.EIO) {
                return -1;
            }
            throw e;
        }
    }

    /** Gives the program input; blocks while the program reads none. */
    public void write(ByteBuffer from) {
        master.writeAll(from);
    }

    public void close() {
        master.close();
    }
}
