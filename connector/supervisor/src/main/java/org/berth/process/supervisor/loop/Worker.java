package org.berth.process.supervisor.loop;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** One permanent thread that runs tasks in order; it sleeps while there are none. */
public final class Worker {
    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Consumer<Throwable> failures;

    /** @param first what the thread does before its first task */
    public Worker(String name, Consumer<Throwable> failures, Runnable first) {
        this.failures = failures;
        tasks.add(first);
        Thread thread = new Thread(null, this::work, name, 512 * 1024);
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs {@code task} after those before it. For any thread. */
    public void execute(Runnable task) {
        tasks.add(task);
    }

    private void work() {
        while (true) {
            try {
                tasks.take().run();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                failures.accept(e);
            }
        }
    }
}
