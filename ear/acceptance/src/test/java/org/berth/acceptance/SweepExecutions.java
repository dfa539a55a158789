package org.berth.acceptance;

import java.util.List;
import java.util.Map;

/** The executions of the sweep's job that the batch runtime keeps, as the management model shows them. */
final class SweepExecutions {
    private static final List<Map<String, String>> JOB = List.of(
            Map.of("deployment", "berth.ear"),
            Map.of("subdeployment", "berth-ejb.jar"),
            Map.of("subsystem", "batch-jberet"),
            Map.of("job", "placement-sweep"));

    private final Management management;

    SweepExecutions(BerthServer server) {
        management = new Management(server);
    }

    /** By id. */
    Map<?, ?> all() {
        return (Map<?, ?>)
                management.call("read-children-resources", JOB, "child-type", "execution", "include-runtime", true);
    }

    /** The ids of those that completed. */
    List<?> ended() {
        return all().entrySet().stream()
                .filter(execution -> "COMPLETED".equals(Json.at(execution.getValue(), "batch-status")))
                .filter(execution -> Json.at(execution.getValue(), "end-time") != null)
                .map(Map.Entry::getKey)
                .toList();
    }
}
