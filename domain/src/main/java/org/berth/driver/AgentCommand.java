package org.berth.driver;

import java.util.List;

/**
 * A run as parts of a launch request.
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
}
