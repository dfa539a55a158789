package org.berth.harness.service;

import java.util.HashSet;
import java.util.Set;

/**
 * The starts that are on their way in one session: between the entry that a start is judged by and its place among the running
 * jobs lie commits. A step back, or the session's end, that comes meanwhile forbids it, so that it never spawns. Any thread may
 * call. Source: harness.md, S2: rewind kills every job started after that entry's commit.
 */
final class StartGate {
    private final Set<Start> underWay = new HashSet<>();
    private boolean closed;

    /** One start. */
    static final class Start {
        private final long afterEntry;
        private boolean forbidden;

        private Start(long afterEntry) {
            this.afterEntry = afterEntry;
        }
    }

    /**
     * A start begins.
     *
     * @param afterEntry the last entry that was committed before
     * @return null when the session is ending
     */
    synchronized Start begin(long afterEntry) {
        if (closed) {
            return null;
        }
        Start start = new Start(afterEntry);
        underWay.add(start);
        return start;
    }

    /** The start takes its place by {@code enter}, unless it was forbidden meanwhile; then false, and nothing is done. */
    synchronized boolean pass(Start start, Runnable enter) {
        underWay.remove(start);
        if (start.forbidden) {
            return false;
        }
        enter.run();
        return true;
    }

    /** The start failed. */
    synchronized void giveUp(Start start) {
        underWay.remove(start);
    }

    /** A step back to {@code entry}: what began after it does not start any more. */
    synchronized void rewind(long entry) {
        underWay.stream().filter(start -> start.afterEntry >= entry).forEach(start -> start.forbidden = true);
    }

    /** The session ends: nothing starts any more. */
    synchronized void close() {
        closed = true;
        rewind(0);
    }

    /** The end was not reached: the session goes on. */
    synchronized void open() {
        closed = false;
    }
}
