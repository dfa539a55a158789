package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The sweep as its administrators see it: a job of the batch runtime, whose executions are kept. */
class SweepIT {
    private final SweepExecutions sweeps = new SweepExecutions(BerthServer.shared());

    @Test
    void theSweepIsABatchJobThatRunsAgainAndAgain() {
        int before = Await.value("a sweep has completed", sweeps::ended, ended -> !ended.isEmpty())
                .size();
        Await.until("another has completed", () -> sweeps.ended().size() > before);

        assertThat(sweeps.all().values())
                .allSatisfy(execution ->
                        assertThat(Json.at(execution, "batch-status")).isIn("STARTING", "STARTED", "COMPLETED"));
    }
}
