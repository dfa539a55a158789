package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.session.JobAnswer;
import org.berth.cli.session.JobFollower;
import org.berth.cli.session.LiveOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bash",
        description = {
            "Run a shell command in the session's directory and show its output while it comes.",
            "One word is the shell's line as it is; several words are that command with those arguments. When it outlasts"
                    + " the session's budget it goes on as a job: the exit code is then 124, and with --follow it is waited"
                    + " for. Otherwise the exit code is the command's, 128+n for signal n. ^C stops it, a second ^C leaves"
                    + " it running."
        },
        footer = {
            "",
            "Examples:",
            "  berth session bash 4f0c -- 'make test | tail -20'",
            "  berth session bash 4f0c --follow -- make -j4 all",
            "  berth session bash 4f0c --no-wait -- ./server --port 8080"
        })
final class SessionBashCommand extends SessionJobCommand {
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    @Parameters(index = "1..*", paramLabel = "COMMAND", arity = "1..*", description = "The command, after --.")
    private List<String> command;

    @Option(names = "--no-wait", description = "Start it as a job and print the job's id.")
    private boolean noWait;

    @Option(names = "--follow", description = "Go on past the session's budget until it ends.")
    private boolean follow;

    SessionBashCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (noWait && follow) {
            throw Failure.usage("--no-wait leaves the command running and --follow waits for it; give one of them.");
        }
        JsonObject sessionNow = get("");
        LiveOutput output = liveOutput(sessionNow);
        if (noWait) {
            return started(start(false, sessionNow), output);
        }
        // a person sees the output while it comes, so the waiting is done by looking; a program asks once
        JobAnswer first = start(json, sessionNow);
        if (first.ended()) {
            return report(first, output);
        }
        JobFollower follower = follower(first.job(), output, Duration.ZERO);
        onInterrupt(() -> cancel(first.job()));
        return following(first.job(), () -> {
            JobAnswer now = json ? first : follower.until(first, budget(sessionNow));
            return report(follow ? follower.untilEnd(now, runsOn()) : now, output);
        });
    }

    private JobAnswer start(boolean wait, JsonObject sessionNow) {
        JsonObject body =
                Json.object().add("command", line(command)).add("wait", wait).build();
        return JobAnswer.of(
                post("/bash", body, "Running the command", budget(sessionNow).plus(Sessions.MARGIN)));
    }

    private int started(JobAnswer answer, LiveOutput output) {
        if (answer.ended()) {
            return report(answer, output);
        }
        print(answer.json(), () -> text().println(answer.job()));
        if (!json) {
            goesOn(answer.job());
        }
        return ExitCodes.DONE;
    }

    /** One word as it is; of several each stays one word. Source: POSIX shell, 2.2.2, single quotes. */
    static String line(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : words.stream().map(SessionBashCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
