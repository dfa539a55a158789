package org.berth.process.supervisor.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;

/**
 * Runs everything that the supervisor decides on one thread: what descriptors are ready for, timers and posted tasks.
 * Only {@link #post} and {@link #stop} are for other threads. Nothing that runs here may block or touch the disk. With
 * nothing to do it sleeps without a time-out.
 */
public final class EventLoop {
    /** What to do when a descriptor is ready; {@code events} are bits of {@link Epoll}. */
    public interface Ready {
        void ready(int events);
    }

    private final Epoll epoll = new Epoll();
    private final int counter = Descriptors.wakeUpCounter();
    private final MemorySegment count = Arena.ofAuto().allocate(8, 8);
    private final Map<Long, Watch> watches = new HashMap<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final ConcurrentLinkedQueue<Runnable> posted = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    private final Consumer<Throwable> failures;
    private long nextToken = 1;
    private volatile boolean stopped;

    /** @param failures told what a task threw; the loop goes on */
    public EventLoop(Consumer<Throwable> failures) {
        this.failures = failures;
        epoll.add(counter, Epoll.IN, 0);
    }

    /** A watched descriptor. */
    public final class Watch {
        private final int fd;
        private final long token;
        private final Ready ready;
        private int interest;

        private Watch(int fd, long token, Ready ready) {
            this.fd = fd;
            this.token = token;
            this.ready = ready;
        }

        /** Changes what is waited for; 0 takes the descriptor out of sight, its hang-up too. */
        public void interest(int wanted) {
            if (wanted == interest || !watches.containsKey(token)) {
                return;
            }
            if (wanted == 0) {
                epoll.remove(fd);
            } else if (interest == 0) {
                epoll.add(fd, wanted, token);
            } else {
                epoll.modify(fd, wanted, token);
            }
            interest = wanted;
        }

        /** Ends the watch; the descriptor stays open. */
        public void end() {
            interest(0);
            watches.remove(token);
        }
    }

    /** A task for later. */
    public final class Timer implements Comparable<Timer> {
        private final long at;
        private final Runnable task;

        private Timer(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        public void cancel() {
            timers.remove(this);
        }

        @Override
        public int compareTo(Timer other) {
            return Long.compare(at - other.at, 0);
        }
    }

    public Watch watch(int fd, int interest, Ready ready) {
        Watch watch = new Watch(fd, nextToken++, ready);
        watches.put(watch.token, watch);
        watch.interest(interest);
        return watch;
    }

    public Timer after(long millis, Runnable task) {
        Timer timer = new Timer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, millis)), task);
        timers.add(timer);
        return timer;
    }

    /** Runs {@code task} once everything that is ready now has been served. */
    public void defer(Runnable task) {
        deferred.add(task);
    }

    /** Runs {@code task} on the loop's thread, in the order of posting. For any thread. */
    public void post(Runnable task) {
        posted.add(task);
        if (woken.compareAndSet(false, true)) {
            wake();
        }
    }

    /** Ends {@link #run} after the current tasks. For any thread. */
    public void stop() {
        stopped = true;
        wake();
    }

    private void wake() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(8, 8);
            one.set(ValueLayout.JAVA_LONG, 0, 1);
            Descriptors.write(counter, one, 8);
        }
    }

    /** Serves until {@link #stop}. */
    public void run() {
        while (!stopped) {
            int ready = epoll.await(timeout());
            for (int i = 0; i < ready; i++) {
                long token = epoll.tokenOf(i);
                int events = epoll.eventsOf(i);
                if (token == 0) {
                    Descriptors.read(counter, count, 8);
                    continue;
                }
                Watch watch = watches.get(token);
                if (watch != null && watch.interest != 0) {
                    guarded(() -> watch.ready.ready(events));
                }
            }
            runPosted();
            runTimers();
            for (Runnable task = deferred.poll(); task != null; task = deferred.poll()) {
                guarded(task);
            }
        }
    }

    private void runPosted() {
        woken.set(false);
        for (Runnable task = posted.poll(); task != null; task = posted.poll()) {
            guarded(task);
        }
    }

    private void runTimers() {
        while (!timers.isEmpty() && timers.peek().at - System.nanoTime() <= 0) {
            guarded(timers.poll().task);
        }
    }

    private int timeout() {
        if (timers.isEmpty()) {
            return -1;
        }
        long nanos = timers.peek().at - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, nanos / 1_000_000 + 1);
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            failures.accept(e);
        }
    }
}
