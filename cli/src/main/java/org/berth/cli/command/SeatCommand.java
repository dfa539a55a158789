package org.berth.cli.command;

import java.util.regex.Pattern;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Option;

/** A command that acts as a seat. Source: environments.md, Operations. */
abstract class SeatCommand extends BerthCommand {
    private static final Pattern SEAT = Pattern.compile("[^\\s@]+@[^\\s@]+");

    @Option(
            names = "--as",
            paramLabel = "SEAT",
            description = "The seat that acts, member@rig. Default: operator@RIG; a seat's token acts as its own.")
    private String as;

    SeatCommand(Surroundings surroundings) {
        super(surroundings);
    }

    /** Who acts on {@code rig}; null when the token is a seat's and says it itself. */
    final String sender(String rig) {
        if (as != null) {
            return seat("--as", as);
        }
        return Json.text(api().get("/api/whoami"), "seat") == null ? "operator@" + rig : null;
    }

    /** @throws Failure usage, unless {@code text} is a seat */
    static String seat(String option, String text) {
        if (!SEAT.matcher(text).matches()) {
            throw Failure.usage(option + " is a seat, member@rig: " + text);
        }
        return text;
    }

    static String rigOf(String seat) {
        return seat.substring(seat.indexOf('@') + 1);
    }
}
