package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The sweep as its administrators see it: a job of the batch runtime, whose executions are kept. */
class SweepIT {
    private static final List<Map<String, String>> JOB = List.of(
            Map.of("deployment", "berth.ear"),
            Map.of("subdeployment", "berth-ejb.jar"),
            Map.of("subsystem", "batch-jberet"),
            Map.of("job", "placement-sweep"));

    private final Management management = new Management(BerthServer.shared());

    @Test
    void theSweepIsABatchJobThatRunsAgainAndAgain() {
        Map<?, ?> seen = Await.value("a sweep has completed", this::executions, all -> completed(all) > 0);
        long before = completed(seen);
        Map<?, ?> later = Await.value("another has completed", this::executions, all -> completed(all) > before);

        assertThat(later.values())
                .allSatisfy(execution ->
                        assertThat(Json.at(execution, "batch-status")).isIn("STARTING", "STARTED", "COMPLETED"));
    }

    private Map<?, ?> executions() {
        Object found =
                management.call("read-children-resources", JOB, "child-type", "execution", "include-runtime", true);
        return (Map<?, ?>) found;
    }

    private static long completed(Map<?, ?> executions) {
        return executions.values().stream()
                .filter(execution -> "COMPLETED".equals(Json.at(execution, "batch-status")))
                .filter(execution -> Json.at(execution, "end-time") != null)
                .count();
    }
}
