package org.berth.cli.stream;

import jakarta.json.JsonObject;
import java.util.OptionalLong;
import org.berth.cli.ExitCodes;
import org.berth.cli.api.Json;

/** How following a command ended. */
public sealed interface Ending {
    /** {@code code} is 0..255. */
    record Exited(int code) implements Ending {}

    /** {@code signal} is the number of the signal that ended the command. */
    record Signalled(int signal) implements Ending {}

    /** The command ended; nobody knows how. */
    record Unknown() implements Ending {}

    /** Another client follows the command now; it goes on. */
    record Fenced() implements Ending {}

    /** The person left; the command goes on. */
    record Left() implements Ending {}

    /** From an object with {@code code} or {@code signal}. */
    static Ending of(JsonObject exit) {
        OptionalLong signal = Json.number(exit, "signal");
        OptionalLong code = Json.number(exit, "code");
        if (signal.isPresent()) {
            return new Signalled((int) signal.getAsLong());
        }
        return code.isPresent() ? new Exited((int) code.getAsLong()) : new Unknown();
    }

    /** Whether the command itself ended; else it goes on without this client. */
    default boolean commandEnded() {
        return switch (this) {
            case Exited exited -> true;
            case Signalled signalled -> true;
            case Unknown unknown -> true;
            case Fenced fenced -> false;
            case Left left -> false;
        };
    }

    /** The exit code that a shell would show for this. */
    default int exitCode() {
        return switch (this) {
            case Exited exited -> exited.code();
            case Signalled signalled -> ExitCodes.ofSignal(signalled.signal());
            case Unknown unknown -> ExitCodes.FAILED;
            case Fenced fenced -> ExitCodes.FAILED;
            case Left left -> ExitCodes.DONE;
        };
    }
}
