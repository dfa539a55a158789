package org.berth.startup;

import java.util.List;
import java.util.Map;

/**
 * What a member of runtime {@value #RUNTIME} runs, as its agent's profile says.
 *
 * @param executable an absolute path, or a name on the host policy's path
 * @param argv the arguments after the program's name
 * @param environment further variables; none that the host sets itself
 * @param policy the launch policy of host.yaml
 * @param window whether it has a terminal, which waits for whoever attaches; else its output is kept as a log
 */
public record MemberCommand(
        String executable, List<String> argv, Map<String, String> environment, String policy, boolean window) {
    /** The member runtime of plain commands: {@value}. */
    public static final String RUNTIME = "command";

    public MemberCommand {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }
}
