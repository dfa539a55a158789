package org.berth.environment;

import java.util.List;
import java.util.Map;

/**
 * The host command whose terminal shows the native's terminal. Ending it leaves the native as it is.
 *
 * @param argv the executable's absolute path and its arguments; no secret
 */
public record ViewerCommand(List<String> argv, Map<String, String> environment) {
    public ViewerCommand {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }
}
