package org.berth.driver;

import java.util.List;

/**
 * A run as parts of a launch request. Their lengths are checked where a request is admitted.
 *
 * @param argv after the program's name
 * @param stdin first input; null for none
 * @param stdinEof standard input ends after {@code stdin}
 * @param sessionEndStdinClose the session ends by closing standard input
 */
public record AgentCommand(List<String> argv, String stdin, boolean stdinEof, boolean sessionEndStdinClose) {
    public AgentCommand {
        argv = List.copyOf(argv);
    }

    /** A run whose prompt is among its arguments, or which has none. */
    public static AgentCommand ofArguments(List<String> argv) {
        return new AgentCommand(argv, null, false, false);
    }

    /** A run that reads {@code prompt} from standard input up to its end. */
    public static AgentCommand reading(String prompt, List<String> argv) {
        return new AgentCommand(argv, prompt, true, false);
    }

    /** A session that begins with {@code line} and reads further lines until standard input is closed. */
    public static AgentCommand session(String line, List<String> argv) {
        return new AgentCommand(argv, line, false, true);
    }
}
