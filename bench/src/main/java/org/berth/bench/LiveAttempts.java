package org.berth.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many attempts that live and do nothing; all of them are stopped and cleaned at the end. */
final class LiveAttempts implements AutoCloseable {
    private static final int CLIENTS = 8;

    /** One short operation over a client's own connection. */
    private interface Operation {
        void run(Attempts attempts, int index) throws IOException;
    }

    private final Target target;
    private final List<String> ids = new ArrayList<>();

    LiveAttempts(Target target) {
        this.target = target;
    }

    /** Starts more until there are {@code count}. */
    void grow(int count) throws InterruptedException {
        each(count - ids.size(), (attempts, index) -> {
            // Without its output pipes, so that thousands fit into the supervisor's limit of descriptors.
            String id = attempts.prepare("sh", "-c", "exec sleep 3600 >&- 2>&-");
            attempts.start(id);
            synchronized (ids) {
                ids.add(id);
            }
        });
    }

    private void each(int count, Operation operation) throws InterruptedException {
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                running.add(clients.submit(() -> {
                    try (Attempts attempts = new Attempts(target)) {
                        for (int i = first; i < count; i += CLIENTS) {
                            operation.run(attempts, i);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new BenchmarkException("a client failed: " + e.getCause().getMessage(), e);
        }
    }

    /** Stops and cleans all. */
    void end() throws InterruptedException {
        List<String> all = List.copyOf(ids);
        each(all.size(), (attempts, index) -> attempts.stop(all.get(index)));
        each(all.size(), (attempts, index) -> attempts.cleanUp(all.get(index)));
        ids.clear();
    }

    @Override
    public void close() throws IOException {
        try {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
