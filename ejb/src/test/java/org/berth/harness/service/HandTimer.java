package org.berth.harness.service;

import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose tasks a test runs itself; only those of a cell's grace are kept. */
final class HandTimer extends ScheduledThreadPoolExecutor {
    private final List<Runnable> scheduled;

    HandTimer(List<Runnable> scheduled) {
        super(0);
        this.scheduled = scheduled;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        if (unit.toMillis(delay) == SessionKernel.GRACE_MILLIS) {
            scheduled.add(task);
        }
        return null;
    }
}
