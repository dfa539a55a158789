package org.berth.harness.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that passes only when the test says so. */
final class VirtualTimer implements WaitTimer {
    private record Task(long at, Runnable run) {}

    private final List<Task> tasks = new ArrayList<>();
    private long now;

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Runnable schedule(long delayNanos, Runnable run) {
        Task task = new Task(now + delayNanos, run);
        tasks.add(task);
        return () -> tasks.removeIf(each -> each == task);
    }

    int waiting() {
        return tasks.size();
    }

    /** Passes over every tick up to {@code time}; tasks of one tick run in the order of their scheduling. */
    void advanceTo(long time) {
        while (true) {
            Task next = tasks.stream()
                    .filter(task -> task.at <= time)
                    .min(Comparator.comparingLong(Task::at))
                    .orElse(null);
            if (next == null) {
                now = time;
                return;
            }
            tasks.remove(next);
            now = Math.max(now, next.at);
            next.run.run();
        }
    }

    /** Time passes, but the timer's thread is late: no task runs. */
    void lateTo(long time) {
        now = time;
    }
}
