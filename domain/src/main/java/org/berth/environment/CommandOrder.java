package org.berth.environment;

import java.util.List;
import java.util.Map;

/**
 * One short command that the supervisor runs to its end, without a shell, in a process group of its own.
 *
 * @param executable absolute path
 * @param environment the whole environment
 * @param workingDirectory absolute
 * @param stdin written first, then closed; null for none
 * @param timeoutMillis then the group is killed; at most {@value MOST_MILLIS}
 * @param outputBytes bound of stdout and of stderr, each; more of it kills the group; at most {@value MOST_OUTPUT_BYTES}
 */
public record CommandOrder(
        String executable,
        List<String> argv,
        Map<String, String> environment,
        String workingDirectory,
        byte[] stdin,
        int timeoutMillis,
        int outputBytes) {
    /** The longest time of a command. */
    public static final int MOST_MILLIS = 60_000;

    /** The most bytes of one stream. */
    public static final int MOST_OUTPUT_BYTES = 2 * 1024 * 1024;

    public CommandOrder {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }
}
