package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.launch.Run;
import org.berth.cli.session.JobAnswer;
import org.berth.cli.session.JobFollower;
import org.berth.cli.session.LiveOutput;
import org.berth.cli.session.RunsOnLine;
import org.berth.cli.terminal.Signals;

/** A command that follows a job. Its exit code is the job's; {@link ExitCodes#TIMED_OUT} when the job goes on. */
abstract class SessionJobCommand extends SessionCommand {
    private static final String HEAD = "head";

    private final AtomicBoolean left = new AtomicBoolean();

    SessionJobCommand(Surroundings surroundings) {
        super(surroundings);
    }

    final Patience patience() {
        return Run.patience(progress());
    }

    /** The output of the session's jobs as it comes; with {@code --json} nothing is shown before the end. */
    final LiveOutput liveOutput(JsonObject sessionNow) {
        String keep = Json.text(Json.object(Json.object(sessionNow, "truncation"), "on"), "keep");
        return new LiveOutput(surroundings.out(), surroundings.err(), HEAD.equals(keep));
    }

    final JobFollower follower(String job, LiveOutput output, Duration age) {
        return new JobFollower(api(), Sessions.jobPath(session, job), json ? null : output, patience(), left::get, age);
    }

    final RunsOnLine runsOn() {
        return json ? null : new RunsOnLine(surroundings.err(), surroundings.errTerminal());
    }

    /** How long a job runs by its record; nothing when the clocks of both hosts disagree. */
    static Duration age(JsonObject job) {
        String started = Json.text(job, "startedAt");
        try {
            Duration age = started == null ? Duration.ZERO : Duration.between(Instant.parse(started), Instant.now());
            return age.isNegative() ? Duration.ZERO : age;
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    /** The first ^C becomes {@code first}; the second leaves the job running. */
    final void onInterrupt(Runnable first) {
        AtomicInteger count = new AtomicInteger();
        Signals.handle("INT", () -> {
            if (count.incrementAndGet() == 1) {
                first.run();
            } else {
                leave();
            }
        });
    }

    final void leave() {
        left.set(true);
    }

    /** Asks for the job's end; what goes wrong is told and ends nothing. */
    final void cancel(String job) {
        try {
            api().call(Call.post(Sessions.jobPath(session, job) + "/cancel", (JsonObject) null));
        } catch (ProblemException | UnreachableException | Failure e) {
            note(e.getMessage());
        }
    }

    /** Runs {@code following}, and says how to go on when the server stays away. */
    final int following(String job, IntSupplier following) {
        try {
            return following.getAsInt();
        } catch (UnreachableException e) {
            throw Failure.unreachable(
                    "The server went away and did not come back.",
                    "Look at the job again with `berth session wait " + session + " " + job + "`.");
        }
    }

    /** Says what the answer means, beside the output. @return the exit code */
    final int report(JobAnswer answer, LiveOutput output) {
        if (json) {
            print(answer.json(), () -> {});
        } else if (answer.ended()) {
            output.end(answer);
        }
        if (answer.ended()) {
            if (!answer.known() && !json) {
                note("the job ended and nobody knows how; `berth session jobs " + session + "` shows what is recorded");
            }
            return answer.exitCode();
        }
        if (!json) {
            goesOn(answer.job());
        }
        return left.get() ? ExitCodes.DONE : ExitCodes.TIMED_OUT;
    }

    /** Tells how to wait for a job that goes on. */
    final void goesOn(String job) {
        note("job " + job + " goes on; wait for it with `berth session wait " + session + " " + job + "`");
    }
}
