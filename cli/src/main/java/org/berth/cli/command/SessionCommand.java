package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.Duration;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Parameters;

/** A command on one session. */
abstract class SessionCommand extends BerthCommand {
    @Parameters(index = "0", paramLabel = "SESSION", description = "The session's complete id.")
    String session;

    SessionCommand(Surroundings surroundings) {
        super(surroundings);
    }

    /** The route of the session, with {@code rest} after it. */
    final String path(String rest) {
        return Sessions.path(session, rest);
    }

    final JsonObject get(String rest) {
        return api().get(path(rest));
    }

    /** Sends {@code body}, which may be null, and waits for the answer with {@code waiting} on a terminal. */
    final JsonObject post(String rest, JsonObject body, String waiting, Duration patience) {
        return api().call(Call.post(path(rest), body).waiting(waiting).within(patience))
                .body();
    }

    /** How long the server may block for a call of this session before it answers. */
    static Duration budget(JsonObject sessionNow) {
        return Duration.ofMillis(Json.number(sessionNow, "toolBlockingBudgetMs").orElse(0));
    }

    /** @return null for null @throws Failure usage, when {@code text} is no duration */
    static Duration duration(String option, String text) {
        try {
            return text == null ? null : Times.duration(text);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(option + ": " + e.getMessage());
        }
    }
}
