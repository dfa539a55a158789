package org.berth.harness.frame;

import jakarta.json.JsonValue;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs accepted requests: each gets exactly one handler call, on the executor so that a slow one holds back no other, and
 * the call's result or error is its one reply. An executor that takes no more work is an error reply.
 */
public final class HostRequests {
    /** What serves the requests; chosen by {@link HostRequest#type()}. */
    @FunctionalInterface
    public interface Handler {
        /**
         * @return the result of the reply, never null
         * @throws Exception whose message becomes the error of the reply
         */
        JsonValue handle(HostRequest request) throws Exception;
    }

    private final Executor executor;
    private final Handler handler;

    public HostRequests(Executor executor, Handler handler) {
        this.executor = Objects.requireNonNull(executor);
        this.handler = Objects.requireNonNull(handler);
    }

    /** Starts the handler's call. Returns at once, when the executor does. */
    public void start(Admission.Accepted accepted) {
        try {
            executor.execute(() -> run(accepted));
        } catch (RejectedExecutionException e) {
            accepted.reply().error("the host takes no more requests");
        }
    }

    private void run(Admission.Accepted accepted) {
        JsonValue result;
        try {
            result = Objects.requireNonNull(handler.handle(accepted.request()), "the handler gave no result");
        } catch (Throwable e) {
            accepted.reply().error(Objects.requireNonNullElse(e.getMessage(), "the request failed"));
            if (e instanceof Error error) {
                throw error;
            }
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        accepted.reply().ok(result);
    }
}
