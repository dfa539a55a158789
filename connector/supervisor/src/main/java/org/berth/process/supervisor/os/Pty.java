package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.berth.placement.TerminalSize;

/**
 * A pseudo terminal's master.
 *
 * @param master its descriptor, not blocking
 * @param slavePath what the child opens as its terminal
 */
public record Pty(int master, String slavePath) {
    private static final long TIOCSWINSZ = 0x5414;

    private static final NativeFunction OPENPT = NativeFunction.ofInt("posix_openpt", 1);
    private static final NativeFunction GRANTPT = NativeFunction.ofInt("grantpt", 1);
    private static final NativeFunction UNLOCKPT = NativeFunction.ofInt("unlockpt", 1);
    private static final NativeFunction PTSNAME = NativeFunction.ofInt("ptsname_r", 3);
    private static final NativeFunction IOCTL = NativeFunction.variadic("ioctl", 2, 3);

    public static Pty open(TerminalSize size) {
        int flags = Descriptors.O_RDWR | Descriptors.O_NOCTTY | Descriptors.O_CLOEXEC | Descriptors.O_NONBLOCK;
        int master = (int) Errno.require("posix_openpt", OPENPT.call(flags));
        try (Arena arena = Arena.ofConfined()) {
            Errno.require("grantpt", GRANTPT.call(master));
            Errno.require("unlockpt", UNLOCKPT.call(master));
            MemorySegment name = arena.allocate(128);
            long error = PTSNAME.call(master, name.address(), name.byteSize());
            if (error != 0) {
                throw new OsException("ptsname_r", (int) Math.abs(error));
            }
            Errno.require("ioctl", resize(master, size));
            return new Pty(master, name.getString(0, StandardCharsets.UTF_8));
        } catch (RuntimeException e) {
            Descriptors.close(master);
            throw e;
        }
    }

    /** @return 0, or the negative error number */
    public static int resize(int master, TerminalSize size) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment winsize = arena.allocate(8, 8);
            winsize.set(ValueLayout.JAVA_SHORT, 0, (short) size.rows());
            winsize.set(ValueLayout.JAVA_SHORT, 2, (short) size.cols());
            return (int) IOCTL.call(master, TIOCSWINSZ, winsize.address());
        }
    }
}
