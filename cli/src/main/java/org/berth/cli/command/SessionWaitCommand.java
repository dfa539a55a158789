package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.Duration;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.session.JobAnswer;
import org.berth.cli.session.JobFollower;
import org.berth.cli.session.LiveOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "wait",
        description = {
            "Show the output of a job and wait for its end.",
            "The exit code is the job's, 128+n for signal n; 124 when --timeout is over and it goes on. ^C leaves it"
                    + " running."
        },
        footer = {"", "Examples:", "  berth session wait 4f0c j1", "  berth session wait 4f0c j1 --timeout 30s"})
final class SessionWaitCommand extends SessionJobCommand {
    private static final String RUNNING = "running";

    /** The state of a job whose end nobody saw; nothing more will come of it. */
    private static final String UNKNOWN = "unknown";

    @Parameters(index = "1", paramLabel = "JOB", description = "The job's id.")
    private String job;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "At most so long, such as 30s; else to its end.")
    private String timeout;

    SessionWaitCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        Duration limit = duration("--timeout", timeout);
        LiveOutput output = liveOutput(get(""));
        JsonObject record = api().get(Sessions.jobPath(session, job));
        String state = Json.text(record, "state");
        boolean runs = RUNNING.equals(state);
        if (UNKNOWN.equals(state)) {
            return report(JobAnswer.of(record), output);
        }
        JobFollower follower = follower(job, output, age(record));
        onInterrupt(this::leave);
        JobAnswer first = stillRunning(record);
        return following(
                job,
                () -> report(
                        limit == null ? follower.untilEnd(first, runs ? runsOn() : null) : follower.until(first, limit),
                        output));
    }

    /** The record as an answer that has no end yet, so that the end comes from the server's wait alone. */
    private static JobAnswer stillRunning(JsonObject record) {
        return JobAnswer.of(Json.object(record)
                .add("detached", Json.object().add("job", Json.text(record, "job")))
                .build());
    }
}
