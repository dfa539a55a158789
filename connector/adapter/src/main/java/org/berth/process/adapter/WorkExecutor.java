package org.berth.process.adapter;

import jakarta.resource.spi.work.WorkException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs short tasks on the server's work threads, at most {@code width} at once, started in the order given. A task may
 * block: it holds one of the places. Where the server has no thread to give, the tasks wait and the request is repeated.
 */
final class WorkExecutor implements Executor {
    private static final Logger LOG = System.getLogger(WorkExecutor.class.getName());

    /** Pause before a refused thread is asked for again, in milliseconds. Source: an own choice, short to a person. */
    private static final long ASK_AGAIN_MILLIS = 20;

    private final WorkThreads threads;
    private final int width;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private int workers;

    WorkExecutor(WorkThreads threads, int width) {
        this.threads = threads;
        this.width = width;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (workers == width) {
                return;
            }
            workers++;
        }
        startWorker();
    }

    private void startWorker() {
        try {
            threads.startShort(this::drain);
        } catch (WorkException e) {
            LOG.log(Level.WARNING, "The server refuses a work thread; asking again.", e);
            threads.after(ASK_AGAIN_MILLIS, this::startWorker);
        }
    }

    private void drain() {
        while (true) {
            Runnable task;
            synchronized (tasks) {
                task = tasks.poll();
                if (task == null) {
                    workers--;
                    return;
                }
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "A task of the process adapter failed.", e);
            }
        }
    }
}
