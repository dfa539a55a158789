package org.berth.harness.service;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose tasks a test runs itself. */
final class HandTimer extends ScheduledThreadPoolExecutor {
    private final List<Runnable> scheduled;
    private final Map<Long, List<Runnable>> byMillis = new ConcurrentHashMap<>();

    /** @param scheduled gets the tasks of a cell's grace */
    HandTimer(List<Runnable> scheduled) {
        super(0);
        this.scheduled = scheduled;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        if (unit.toMillis(delay) == SessionKernel.GRACE_MILLIS) {
            scheduled.add(task);
        }
        byMillis.computeIfAbsent(unit.toMillis(delay), each -> new CopyOnWriteArrayList<>())
                .add(task);
        return null;
    }

    /** Runs, once, what was to run after so many milliseconds. */
    void pass(long millis) {
        List<Runnable> due = byMillis.remove(millis);
        if (due != null) {
            due.forEach(Runnable::run);
        }
    }
}
