package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.session.JobAnswer;
import org.berth.cli.session.LiveOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "cell",
        description = {
            "Run a cell of Python in the session's kernel: its output, then its result.",
            "Names stay from cell to cell. The exit code is 1 when the cell fails, 124 when it outlasts the session's budget"
                    + " and goes on as a job."
        },
        footer = {
            "",
            "Examples:",
            "  berth session cell 4f0c 'sum(range(10))'",
            "  berth session cell 4f0c - < analysis.py"
        })
final class SessionCellCommand extends SessionJobCommand {
    private static final String FROM_INPUT = "-";
    private static final String OK = "ok";

    @Parameters(index = "1", paramLabel = "CODE", description = "The code; - reads it from stdin.")
    private String code;

    SessionCellCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject sessionNow = get("");
        JsonObject body = Json.object()
                .add("code", code.equals(FROM_INPUT) ? input() : code)
                .build();
        JsonObject cell =
                post("/cells", body, "The cell runs", budget(sessionNow).plus(Sessions.MARGIN));
        JobAnswer answer = JobAnswer.of(cell);
        LiveOutput output = liveOutput(sessionNow);
        String diagnostic = Json.text(cell, "diagnostic");
        if (diagnostic != null) {
            note(diagnostic);
        }
        if (!answer.ended()) {
            if (!json) {
                output.show(answer);
            }
            return report(answer, output);
        }
        print(cell, () -> {
            output.end(answer);
            show(cell);
        });
        return OK.equals(Json.text(cell, "status")) ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private void show(JsonObject cell) {
        String result = Json.text(cell, "result");
        if (result != null) {
            text().println(lines(result));
            text().flush();
        }
        String status = Json.text(cell, "status");
        if (OK.equals(status)) {
            return;
        }
        JsonObject error = Json.object(cell, "error");
        PrintStream err = surroundings.err();
        List<String> trace = Json.texts(error, "traceback");
        trace.forEach(line -> err.println(lines(line.stripTrailing())));
        note("the cell ended with " + status + (trace.isEmpty() && !error.isEmpty() ? ": " + reason(error) : ""));
    }

    private static String reason(JsonObject error) {
        String name = Json.text(error, "name");
        return name == null ? error.toString() : name + ": " + Json.text(error, "text");
    }

    /** Several lines, none of which steers the terminal. */
    private static String lines(String text) {
        return String.join("\n", text.lines().map(Tables::safe).toList());
    }

    private String input() {
        try {
            return new String(surroundings.in().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw Failure.failed("Stdin cannot be read.", null);
        }
    }
}
