package org.berth.harness.service;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The starts that are on their way in one session: between the entry that a start is judged by and its place among the running
 * jobs lie commits, and for a cell the whole budget. A step back, or the session's end, that comes meanwhile forbids it: what
 * did not run yet never does, what runs is stopped. Any thread may call. Source: harness.md, S2: rewind kills every job started
 * after that entry's commit.
 */
final class StartGate {
    private final Set<Start> underWay = new HashSet<>();
    private boolean closed;

    /** One start. */
    static final class Start {
        private final long afterEntry;
        private boolean forbidden;
        private Runnable stop = () -> {};

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

    /**
     * The start does a {@code step} and stays on its way, unless it was forbidden meanwhile; then false, and nothing is done.
     *
     * @param stop how what began is stopped, once, when the start is forbidden after this
     */
    synchronized boolean go(Start start, Runnable step, Runnable stop) {
        if (start.forbidden) {
            return false;
        }
        step.run();
        start.stop = stop;
        return true;
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

    /** The start failed, or what it started is over. */
    synchronized void giveUp(Start start) {
        underWay.remove(start);
    }

    /** Whether a step back, or the session's end, was faster. */
    synchronized boolean isForbidden(Start start) {
        return start.forbidden;
    }

    /** A step back to {@code entry}: what began after it does not start any more, or is stopped. */
    void rewind(long entry) {
        forbid(entry).forEach(start -> start.stop.run());
    }

    private synchronized List<Start> forbid(long entry) {
        List<Start> orphans = underWay.stream()
                .filter(start -> start.afterEntry >= entry && !start.forbidden)
                .toList();
        orphans.forEach(start -> start.forbidden = true);
        return orphans;
    }

    /** The session ends: nothing starts any more. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        rewind(0);
    }

    /** The end was not reached: the session goes on. */
    synchronized void open() {
        closed = false;
    }
}
