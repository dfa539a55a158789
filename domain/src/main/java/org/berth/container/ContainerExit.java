package org.berth.container;

import java.util.Set;
import org.berth.placement.Exit;

/**
 * Reads the end of a container. Engines fold a signal into 128 and its number, and a recorded exit never does. A
 * namespace's first process without a handler can only die of KILL and of what the kernel forces on it, so that every
 * other number above 128 is the program's own. Source: placement.md, Identity; pid_namespaces(7), signal(7).
 */
public final class ContainerExit {
    private static final int FOLDED = 128;
    private static final int KILL = 9;
    private static final int MOST = 255;

    /** ILL, TRAP, ABRT, BUS, FPE, KILL, SEGV, XCPU, XFSZ and SYS. Source: signal(7), x86 and arm. */
    private static final Set<Integer> FORCED = Set.of(4, 5, 6, 7, 8, KILL, 11, 24, 25, 31);

    private ContainerExit() {}

    /**
     * The exit of a container that ended.
     *
     * @param state must have ended
     * @param init whether the engine's init stands before the program and folds its signals itself
     * @param killOrdered whether Berth had it killed
     */
    public static Exit of(ContainerState state, boolean init, boolean killOrdered) {
        int code = state.exitCode();
        if (code == FOLDED + KILL && (killOrdered || state.outOfMemory())) {
            return new Exit.Signalled(KILL);
        }
        if (code < 0 || code > MOST) {
            return new Exit.Unknown("the engine tells the code " + code);
        }
        boolean folded = code > FOLDED && (init || FORCED.contains(code - FOLDED));
        return folded
                ? new Exit.Unknown("the engine tells " + code + ", which may be a code or signal " + (code - FOLDED))
                : new Exit.Exited(code);
    }
}
