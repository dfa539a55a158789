package org.berth.acceptance.environment;

import java.util.List;
import java.util.Map;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.Management;

/** The job {@code checkpoint-capture} in the management model, where an administrator's console finds it. */
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

    String exitStatus(long execution) {
        return (String) Json.at(read(execution), "exit-status");
    }

    /** What the console's button does. @return the new execution */
    long restart(long execution) {
        return ((Number) management.call("restart-job", BATCH, "execution-id", execution)).longValue();
    }

    private Object read(long execution) {
        return management.call(
                "read-resource",
                List.of(
                        BATCH.get(0),
                        BATCH.get(1),
                        BATCH.get(2),
                        Map.of("job", "checkpoint-capture"),
                        Map.of("execution", Long.toString(execution))),
                "include-runtime",
                true);
    }
}
