package org.berth.cli.api;

import java.time.Duration;
import java.util.function.Supplier;
import org.berth.cli.Failure;
import org.berth.cli.output.Progress;

/** Waits for a server that went away and may come back. */
public final class Patience {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Duration bound;
    private final Progress.Source progress;

    /** @param bound how long one absence may last */
    public Patience(Duration bound, Progress.Source progress) {
        this.bound = bound;
        this.progress = progress;
    }

    /**
     * Repeats {@code call} while no server answers or it says that nothing happened. The call must be one that may be
     * repeated.
     *
     * @throws UnreachableException when the absence outlasts the bound; a problem of another kind passes at once
     */
    public <T> T outlast(Supplier<T> call) {
        long deadline = System.nanoTime() + bound.toNanos();
        Duration pause = FIRST_PAUSE;
        try (Progress _ = progress.show("The server is away; waiting for it to come back")) {
            while (true) {
                try {
                    return call.get();
                } catch (UnreachableException e) {
                    giveUpAfter(deadline, e);
                } catch (ProblemException e) {
                    if (!e.problem().mayTryAgain()) {
                        throw e;
                    }
                    giveUpAfter(deadline, e);
                }
                sleep(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** Sleeps; an interrupt ends the command. */
    public static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted.", null);
        }
    }

    private static void giveUpAfter(long deadline, RuntimeException reason) {
        if (System.nanoTime() - deadline >= 0) {
            throw reason;
        }
    }
}
