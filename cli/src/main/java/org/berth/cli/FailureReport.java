package org.berth.cli;

import jakarta.json.JsonObjectBuilder;
import java.io.PrintStream;
import org.berth.cli.api.Json;
import org.berth.cli.api.Problem;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.output.Tables;

/** Turns what went wrong into a message on stderr and an exit code; the one place that does. */
public final class FailureReport {
    private final PrintStream err;
    private final boolean json;

    /** @param json whether the message is one JSON object instead of sentences */
    public FailureReport(PrintStream err, boolean json) {
        this.err = err;
        this.json = json;
    }

    /** @return the exit code, see {@link ExitCodes} */
    public int report(Throwable reason) {
        return switch (reason) {
            case ProblemException refused -> problem(refused.problem());
            case UnreachableException away ->
                say(
                        ExitCodes.UNREACHABLE,
                        "UNREACHABLE",
                        away.getMessage(),
                        "Start it with `berth up`, or point BERTH_URL to where it is.");
            case Failure failure -> say(failure.exitCode(), code(failure), failure.getMessage(), failure.next());
            default -> say(ExitCodes.FAILED, "INTERNAL", "berth itself failed: " + reason, null);
        };
    }

    private int problem(Problem problem) {
        return say(ExitCodes.FAILED, problem.code(), problem.error(), problem.next());
    }

    private static String code(Failure failure) {
        return switch (failure.exitCode()) {
            case ExitCodes.USAGE -> "USAGE";
            case ExitCodes.UNREACHABLE -> "UNREACHABLE";
            default -> "FAILED";
        };
    }

    private int say(int exitCode, String code, String sentence, String next) {
        if (json) {
            JsonObjectBuilder object = Json.object().add("code", code).add("error", sentence);
            if (next != null) {
                object.add("next", next);
            }
            err.println(object.build());
        } else {
            boolean named = !code.equals("FAILED") && !code.equals("USAGE") && !code.equals("UNREACHABLE");
            sentence.lines()
                    .findFirst()
                    .ifPresent(first -> err.println("berth: " + Tables.safe(first) + (named ? " (" + code + ")" : "")));
            sentence.lines().skip(1).map(Tables::safe).forEach(err::println);
            if (next != null) {
                err.println("  " + Tables.safe(next));
            }
        }
        err.flush();
        return exitCode;
    }
}
