package org.berth.cli.session;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;

/**
 * Waits for the end of one job by short waits of the server, and shows its output meanwhile. A server that goes away is
 * waited for, because the job goes on without it.
 */
public final class JobFollower {
    /** How soon the first look is repeated. */
    private static final Duration SHORTEST = Duration.ofMillis(100);
    /** Below the second after which a request has a progress line of its own. Source: {@code output.Progress}. */
    private static final Duration LONGEST = Duration.ofMillis(900);
    /** Above this an answer is too large to be asked for many times a second, as sessions without truncation have it. */
    private static final int LARGE_BYTES = 1 << 20;

    private final ApiClient api;
    private final String jobPath;
    private final LiveOutput output;
    private final Patience patience;
    private final BooleanSupplier left;
    private final long beganNanos;
    private final Duration ageAtBegin;

    /**
     * @param jobPath the job's route
     * @param output null to show nothing
     * @param left asked between two looks; true ends the following and not the job
     * @param age how long the job runs already
     */
    public JobFollower(
            ApiClient api, String jobPath, LiveOutput output, Patience patience, BooleanSupplier left, Duration age) {
        this.api = api;
        this.jobPath = jobPath;
        this.output = output;
        this.patience = patience;
        this.left = left;
        ageAtBegin = age;
        beganNanos = System.nanoTime();
    }

    /** Until the end, or until the job is followed for {@code limit}. @return the last answer, whose output is shown */
    public JobAnswer until(JobAnswer first, Duration limit) {
        return follow(first, limit, null);
    }

    /** Until the end, with a line about the job that goes on. */
    public JobAnswer untilEnd(JobAnswer first, RunsOnLine line) {
        return follow(first, null, line);
    }

    private JobAnswer follow(JobAnswer first, Duration limit, RunsOnLine line) {
        JobAnswer answer = first;
        Duration wait = SHORTEST;
        while (true) {
            boolean news = output != null && output.hasNew(answer);
            if (line != null && (news || answer.ended())) {
                line.clear();
            }
            if (output != null) {
                output.show(answer);
            }
            Duration followed = Duration.ofNanos(System.nanoTime() - beganNanos);
            if (answer.ended() || left.getAsBoolean() || limit != null && followed.compareTo(limit) >= 0) {
                return answer;
            }
            if (line != null) {
                line.tell(answer.job(), ageAtBegin.plus(followed), answer.produced());
            }
            wait = next(wait, news, answer);
            answer = look(limit == null ? wait : least(wait, limit.minus(followed)));
        }
    }

    /** Short while output comes, longer while none does. */
    private static Duration next(Duration wait, boolean news, JobAnswer answer) {
        if (answer.output().length > LARGE_BYTES) {
            return LONGEST;
        }
        return news ? SHORTEST : least(wait.multipliedBy(2), LONGEST);
    }

    private JobAnswer look(Duration wait) {
        long began = System.nanoTime();
        long millis = Math.max(1, wait.toMillis());
        JobAnswer answer = JobAnswer.of(patience.outlast(() -> api.call(Call.post(
                        jobPath + "/wait",
                        Json.object().add("timeoutMs", millis).build()))
                .body()));
        Duration rest = wait.minusNanos(System.nanoTime() - began);
        if (!answer.ended() && rest.isPositive()) {
            // the session's own budget is shorter, and asking at once would keep the server busy
            Patience.sleep(rest);
        }
        return answer;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
