package org.berth.harness.workspace;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The fault points of a hand-back. With {@code -Dberth.fault=NAME:N} the virtual machine halts when the point is passed
 * for the N-th time, as kill -9 would; without it a point costs one comparison. Source: architecture.md, After a crash.
 */
enum FaultPoint {
    HANDBACK_PLANNED,
    HANDBACK_CONFLICT_KEPT,
    HANDBACK_REMOVED,
    HANDBACK_WRITTEN,
    HANDBACK_RENAMED,
    HANDBACK_PRUNED,
    HANDBACK_RECORDED,
    HANDBACK_ASIDE,
    HANDBACK_LINKED,
    HANDBACK_DISCARDED;

    private static final int EXIT_STATUS_OF_A_KILL = 137;

    private final int chosen = chosen(System.getProperty("berth.fault", ""), name() + ":");
    private final AtomicInteger passed = new AtomicInteger();

    private static int chosen(String property, String prefix) {
        return property.startsWith(prefix) ? Integer.parseInt(property.substring(prefix.length())) : 0;
    }

    void hit() {
        if (chosen > 0 && passed.incrementAndGet() == chosen) {
            Runtime.getRuntime().halt(EXIT_STATUS_OF_A_KILL);
        }
    }
}
