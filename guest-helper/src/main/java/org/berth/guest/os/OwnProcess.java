package org.berth.guest.os;

/** What the helper makes of its own process. */
public final class OwnProcess {
    private static final int PR_SET_DUMPABLE = 4;

    private OwnProcess() {}

    /** No process of the same user may trace this one or read its memory and environment. */
    public static void hide() {
        Kernel.require("prctl", Kernel.call(Syscall.PRCTL, PR_SET_DUMPABLE, 0, 0, 0, 0));
    }
}
