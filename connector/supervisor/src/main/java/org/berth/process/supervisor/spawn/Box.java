package org.berth.process.supervisor.spawn;

import java.util.concurrent.locks.LockSupport;
import org.berth.placement.ProcessIdentity;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.ProcStat;

/** A namespace whose command waits for {@link #release}. */
final class Box {
    private final long outerPid;
    private final int outerPidFd;
    private final long initPid;
    private final int initPidFd;
    private final int block;
    private final long initStartTicks;
    private ProcStat inner;
    private int innerPidFd = -1;

    Box(long outerPid, int outerPidFd, long initPid, int initPidFd, int block, long initStartTicks) {
        this.outerPid = outerPid;
        this.outerPidFd = outerPidFd;
        this.initPid = initPid;
        this.initPidFd = initPidFd;
        this.block = block;
        this.initStartTicks = initStartTicks;
    }

    /** One whose command becomes its init. */
    Box(long outerPid, int outerPidFd, ProcStat init, int initPidFd, int block) {
        this(outerPid, outerPidFd, init.pid(), initPidFd, block, init.startTicks());
        inner = init;
    }

    long outerPid() {
        return outerPid;
    }

    int outerPidFd() {
        return outerPidFd;
    }

    int initPidFd() {
        return initPidFd;
    }

    int innerPidFd() {
        return innerPidFd;
    }

    /** Zeros for the inner command when it ended before it was seen. */
    ProcessIdentity.Tree tree() {
        return new ProcessIdentity.Tree(
                initPid, initStartTicks, inner == null ? 0 : inner.pid(), inner == null ? 0 : inner.startTicks());
    }

    /** Lets the command run, and finds it. */
    void release() {
        // An init that becomes the command is known already, and may be gone right after.
        innerPidFd = inner == null ? -1 : PidFd.open(inner.pid());
        Descriptors.writeLine(block);
        Descriptors.close(block);
        long start = System.nanoTime();
        while (inner == null && System.nanoTime() - start < Containment.INNER_WAIT) {
            ProcStat init = ProcStat.of(initPid);
            if (init == null || !init.live() || init.startTicks() != initStartTicks) {
                return;
            }
            inner = Containment.firstChild(initPid);
            if (inner == null && PidFd.childExit(outerPidFd, false) != null) {
                return;
            }
            if (inner == null && System.nanoTime() - start > Containment.INNER_SPIN) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        if (inner != null && innerPidFd < 0) {
            innerPidFd = PidFd.open(inner.pid());
        }
        if (innerPidFd < 0) {
            innerPidFd = -1;
            inner = null;
        }
    }
}
