package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.berth.placement.Exit;

/** Calls on process descriptors, which never reach a process that reused a number. Safe for any thread. */
public final class PidFd {
    public static final int SIGTERM = 15;
    public static final int SIGKILL = 9;

    private static final int SYS_PIDFD_SEND_SIGNAL = 424;
    private static final int SYS_PIDFD_OPEN = 434;

    /** pidfd_send_signal: the process group of the process (kernel 6.9). */
    private static final int SIGNAL_GROUP = 4;

    private static final int P_PIDFD = 3;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    private static final int WNOWAIT = 0x1000000;
    private static final int SIGINFO_BYTES = 128;
    private static final int CLD_EXITED = 1;

    /** ioctl PIDFD_GET_INFO over the first, 64-byte version of its struct. */
    private static final long PIDFD_GET_INFO = 0xC040FF0BL;

    private static final long INFO_EXIT = 8;

    private static final NativeFunction SYSCALL_OPEN = NativeFunction.variadicLong("syscall", 1, 3);
    private static final NativeFunction SYSCALL_SIGNAL = NativeFunction.variadicLong("syscall", 1, 5);
    private static final NativeFunction WAITID = NativeFunction.ofInt("waitid", 4);
    private static final NativeFunction IOCTL = NativeFunction.variadic("ioctl", 2, 3);
    private static final NativeFunction KILL = NativeFunction.ofInt("kill", 2);

    private PidFd() {}

    /** @return a descriptor that exec closes, or the negative error number */
    public static int open(long pid) {
        return (int) SYSCALL_OPEN.call(SYS_PIDFD_OPEN, pid, 0);
    }

    /** @return 0, or the negative error number */
    public static int signal(int pidFd, int signal) {
        return (int) SYSCALL_SIGNAL.call(SYS_PIDFD_SEND_SIGNAL, pidFd, signal, 0, 0);
    }

    /** Signals the whole group of the process. @return 0, or the negative error number (EINVAL before kernel 6.9) */
    public static int signalGroup(int pidFd, int signal) {
        return (int) SYSCALL_SIGNAL.call(SYS_PIDFD_SEND_SIGNAL, pidFd, signal, 0, SIGNAL_GROUP);
    }

    /** Whether the kernel signals groups through a process descriptor. */
    public static boolean signalsGroups() {
        return GroupSignals.SUPPORTED;
    }

    private static final class GroupSignals {
        static final boolean SUPPORTED = probe();

        private static boolean probe() {
            int self = open(ProcessHandle.current().pid());
            try {
                return self >= 0 && signalGroup(self, 0) != -Errno.EINVAL;
            } finally {
                Descriptors.close(self);
            }
        }
    }

    /** Signals a group by its number. Only while its leader is known alive or an unreaped child of ours. */
    public static int signalGroupNumber(long group, int signal) {
        return (int) KILL.call(-group, signal);
    }

    /** Whether any process, zombies included, is in the group. */
    public static boolean groupAnswers(long group) {
        return KILL.call(-group, 0) != -Errno.ESRCH;
    }

    /**
     * How the child ended.
     *
     * @param reap frees the child's number; otherwise the zombie stays
     * @return null while it lives
     * @throws OsException when it is no child of ours
     */
    public static Exit childExit(int pidFd, boolean reap) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(SIGINFO_BYTES, 8);
            long result;
            do {
                result = WAITID.call(P_PIDFD, pidFd, info.address(), WEXITED | WNOHANG | (reap ? 0 : WNOWAIT));
            } while (result == -Errno.EINTR);
            Errno.require("waitid", result);
            if (info.get(ValueLayout.JAVA_INT, 16) == 0) {
                return null;
            }
            int status = info.get(ValueLayout.JAVA_INT, 24);
            return info.get(ValueLayout.JAVA_INT, 8) == CLD_EXITED
                    ? new Exit.Exited(status & 0xff)
                    : new Exit.Signalled(status & 0x7f);
        }
    }

    /** How a process ended that somebody else reaped (kernel 6.15); null when the kernel does not tell (yet). */
    public static Exit reapedExit(int pidFd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(64, 8);
            info.set(ValueLayout.JAVA_LONG, 0, INFO_EXIT);
            if (IOCTL.call(pidFd, PIDFD_GET_INFO, info.address()) < 0
                    || (info.get(ValueLayout.JAVA_LONG, 0) & INFO_EXIT) == 0) {
                return null;
            }
            return ofWaitStatus(info.get(ValueLayout.JAVA_INT, 60));
        }
    }

    /** The meaning of a wait status. */
    static Exit ofWaitStatus(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? new Exit.Exited((status >> 8) & 0xff) : new Exit.Signalled(signal);
    }
}
