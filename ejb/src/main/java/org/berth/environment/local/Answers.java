package org.berth.environment.local;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.placement.service.Failures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Waits for the supervisor's answers. */
final class Answers {
    private static final int SECONDS = 30;

    /** Between two looks at what is awaited. */
    static final int POLL_MILLIS = 2;

    private Answers() {}

    /** @throws BerthException what {@code stage} failed with; UNCERTAIN when it took longer than an operation may */
    static <V> V of(CompletionStage<V> stage) {
        try {
            return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw Failures.unwrap(e);
        } catch (TimeoutException e) {
            throw new BerthException(ProblemCode.UNCERTAIN, "the supervisor did not answer within 30 s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BerthException(ProblemCode.UNCERTAIN, "the wait for the supervisor was interrupted", e);
        }
    }

    /** {@link #POLL_MILLIS}. @throws BerthException UNCERTAIN when interrupted */
    static void pause() {
        pause(POLL_MILLIS);
    }

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BerthException(ProblemCode.UNCERTAIN, "the wait for the environment was interrupted", e);
        }
    }
}
