package org.berth.harness.transport;

import java.util.List;
import java.util.stream.Collectors;

/** Arguments as one command line for a POSIX shell, as ssh passes it on. Source: POSIX.1-2017, XCU 2.2.2. */
final class ShellWords {
    private ShellWords() {}

    /** One line that a shell splits into exactly these arguments. */
    static String join(List<String> arguments) {
        return arguments.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    private static String quote(String argument) {
        return "'" + argument.replace("'", "'\\''") + "'";
    }
}
