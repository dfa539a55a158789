package org.berth.acceptance.environment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.Management;

/** The job {@code checkpoint-capture} in the management model, where an administrator finds it. */
final class CaptureExecutions {
    private static final List<Map<String, String>> BATCH = List.of(
            Map.of("deployment", "berth.ear"),
            Map.of("subdeployment", "berth-ejb.jar"),
            Map.of("subsystem", "batch-jberet"));

    private final Management management;

    CaptureExecutions(BerthServer server) {
        management = new Management(server);
    }

    /** The batch status of an execution. */
    String status(long execution) {
        return (String) Json.at(read(execution), "batch-status");
    }

    /** As {@link #status}; empty while the model does not show the execution yet. */
    String find(long execution) {
        Object names = management.call("read-children-names", job(), "child-type", "execution");
        return ((List<?>) names).contains(Long.toString(execution)) ? status(execution) : "";
    }

    String exitStatus(long execution) {
        return (String) Json.at(read(execution), "exit-status");
    }

    /** What the console's button Restart calls. @return the new execution */
    long restart(long execution) {
        return ((Number) management.call("restart-job", address(execution))).longValue();
    }

    private Object read(long execution) {
        return management.call("read-resource", address(execution), "include-runtime", true);
    }

    private static List<Map<String, String>> address(long execution) {
        List<Map<String, String>> address = new ArrayList<>(job());
        address.add(Map.of("execution", Long.toString(execution)));
        return address;
    }

    private static List<Map<String, String>> job() {
        List<Map<String, String>> address = new ArrayList<>(BATCH);
        address.add(Map.of("job", "checkpoint-capture"));
        return address;
    }
}
