package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.ExitCodes;
import org.berth.cli.Surroundings;
import org.berth.cli.session.JobAnswer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = {
            "Stop a job: the whole process group of a command, the kernel of a cell that does not yield.",
            "The exit code is 1 while it has not ended."
        },
        footer = {"", "Examples:", "  berth session cancel 4f0c j1"})
final class SessionCancelCommand extends SessionCommand {
    @Parameters(index = "1", paramLabel = "JOB", description = "The job's id.")
    private String job;

    SessionCancelCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().post(Sessions.jobPath(session, job) + "/cancel", null);
        JobAnswer now = JobAnswer.of(answer);
        print(answer, () -> text().println(sentence(now)));
        if (!now.ended() && !json) {
            note("wait for its end with `berth session wait " + session + " " + job + "`");
        }
        return now.ended() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private String sentence(JobAnswer now) {
        if (!now.ended()) {
            return "job " + job + " is still stopping";
        }
        return now.json().containsKey("exitCode")
                ? "job " + job + " had ended by itself with exit code " + now.exitCode()
                : "job " + job + " is stopped";
    }
}
