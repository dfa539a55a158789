package org.berth.process.adapter;

import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.work.HintsContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkContextProvider;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/** Every thread the adapter runs on: the server's work manager, and one timer for deadlines. */
final class WorkThreads implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WorkThreads.class.getName());

    private final WorkManager workManager;
    private final Timer timer;

    WorkThreads(BootstrapContext context) throws UnavailableException {
        workManager = context.getWorkManager();
        timer = context.createTimer();
    }

    /** Runs a task that may last as long as the adapter; {@code release} asks it to end. */
    void startLong(String name, Runnable task, Runnable release) throws WorkException {
        workManager.scheduleWork(new LongWork(name, task, release));
    }

    /** Runs a short task. */
    void startShort(Runnable task) throws WorkException {
        workManager.scheduleWork(new ShortWork(task));
    }

    /** Runs {@code task}, which must not block, once after {@code millis}; not after {@link #close()}. */
    void after(long millis, Runnable task) {
        try {
            timer.schedule(guarded(task), millis);
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "The adapter has ended; a timed task is dropped.");
        }
    }

    /** Runs {@code task}, which must not block, every {@code millis}. */
    void every(long millis, Runnable task) {
        timer.schedule(guarded(task), millis, millis);
    }

    @Override
    public void close() {
        timer.cancel();
    }

    private static TimerTask guarded(Runnable task) {
        return new TimerTask() {
            @Override
            public void run() {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.log(Level.ERROR, "A timed task of the process adapter failed.", e);
                }
            }
        };
    }

    private record ShortWork(Runnable task) implements Work {
        @Override
        public void run() {
            task.run();
        }

        @Override
        public void release() {
            LOG.log(Level.DEBUG, "The server releases a short task; it ends by itself.");
        }
    }

    /** Asks for a thread of the pool for long work, so that it never takes one from short work. */
    private static final class LongWork implements Work, WorkContextProvider {
        private static final long serialVersionUID = 1L;
        private final transient Runnable task;
        private final transient Runnable release;
        private final transient List<WorkContext> contexts;

        LongWork(String name, Runnable task, Runnable release) {
            this.task = task;
            this.release = release;
            HintsContext hints = new HintsContext();
            hints.setName(name);
            hints.setHint(HintsContext.NAME_HINT, name);
            hints.setHint(HintsContext.LONGRUNNING_HINT, Boolean.TRUE);
            contexts = List.of(hints);
        }

        @Override
        public List<WorkContext> getWorkContexts() {
            return contexts;
        }

        @Override
        public void run() {
            task.run();
        }

        @Override
        public void release() {
            release.run();
        }
    }
}
