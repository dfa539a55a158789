package org.berth.guest.os;

import java.util.function.BooleanSupplier;

/** Signals to exactly one process. */
public final class Signals {
    private static final int SIGTERM = 15;

    private Signals() {}

    /** Sends TERM to {@code pid} if {@code same} holds of the process that the signal would reach. */
    public static void terminate(long pid, BooleanSupplier same) {
        long opened = Kernel.call(Syscall.PIDFD_OPEN, pid, 0, 0);
        if (opened == -Errno.ESRCH) {
            return;
        }
        try (Handle process = new Handle((int) Kernel.require("pidfd_open", opened))) {
            if (same.getAsBoolean()) {
                long sent = Kernel.call(Syscall.PIDFD_SEND_SIGNAL, process.fd(), SIGTERM, 0, 0, 0);
                if (sent != -Errno.ESRCH) {
                    Kernel.require("pidfd_send_signal", sent);
                }
            }
        }
    }
}
