package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.berth.harness.job.Job;
import org.berth.harness.output.Truncation;
import org.junit.jupiter.api.Test;

class RunsTest {
    private final OpenSession.Runs runs = new OpenSession.Runs();

    private static JobRun run(String id, int second) {
        return new JobRun(
                new Job(id, Truncation.DEFAULT),
                JobRun.Kind.BASH,
                "true",
                "job-" + id,
                0,
                Instant.EPOCH.plusSeconds(second),
                over -> null,
                JobRun.Listener.NOBODY);
    }

    private List<String> ids() {
        return runs.all().stream().map(JobRun::id).toList();
    }

    @Test
    void theJobsOfFormerServersTakeTheirPlaceByTheirStarts() {
        JobRun survivor = run("survivor", 2);
        runs.add(survivor);
        runs.add(run("new", 9));
        runs.recall(() -> List.of(run("late", 3), run("survivor", 2), run("early", 1)));
        assertThat(ids()).containsExactly("early", "survivor", "late", "new");
        assertThat(runs.find("survivor")).isSameAs(survivor);
    }

    @Test
    void theyAreAskedForOnceAndAgainAfterAFailure() {
        List<String> asked = new ArrayList<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> runs.recall(() -> {
                    throw new IllegalStateException("no database");
                }));
        for (int i = 0; i < 3; i++) {
            runs.recall(() -> {
                asked.add("former");
                return List.of(run("a", 1));
            });
        }
        assertThat(asked).hasSize(1);
        assertThat(ids()).containsExactly("a");
    }
}
