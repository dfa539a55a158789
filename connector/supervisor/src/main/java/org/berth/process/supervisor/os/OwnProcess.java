package org.berth.process.supervisor.os;

/** What the supervisor's own process and threads are set to. */
public final class OwnProcess {
    private static final int SIGHUP = 1;
    private static final int SIGCHLD = 17;
    private static final long SIG_DFL = 0;
    private static final long SIG_IGN = 1;
    private static final int CLONE_FS = 0x200;

    private static final NativeFunction GETUID = NativeFunction.ofInt("getuid", 0);
    private static final NativeFunction UMASK = NativeFunction.ofInt("umask", 1);
    private static final NativeFunction UNSHARE = NativeFunction.ofInt("unshare", 1);
    private static final NativeFunction SIGNAL = NativeFunction.ofLong("signal", 2);

    private OwnProcess() {}

    public static long uid() {
        return Integer.toUnsignedLong((int) GETUID.call());
    }

    /** A closing terminal does not end us, and our children stay ours to wait for. */
    public static void settleSignals() {
        SIGNAL.call(SIGHUP, SIG_IGN);
        SIGNAL.call(SIGCHLD, SIG_DFL);
    }

    /** Sets the umask of every thread that shares this thread's, and answers the former one. */
    public static int umask(int mask) {
        return (int) UMASK.call(mask);
    }

    /** Gives the calling thread a umask and a working directory of its own, which its children inherit. */
    public static void ownDirectoryAndUmask(int mask) {
        Errno.require("unshare", UNSHARE.call(CLONE_FS));
        UMASK.call(mask);
    }
}
