package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.berth.placement.AttemptLifecycle;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.Wire;

/** What the tables of the lifecycle allow between two looks at one attempt, of which the second was asked for later. */
public final class ListedSteps {
    private ListedSteps() {}

    /** Between two looks more than one step may lie: the later state must be reachable through the table. */
    public static void assertReached(Map<String, Object> before, Map<String, Object> after, String what) {
        ExecutionState from = execution(before);
        ExecutionState to = execution(after);
        assertThat(reaches(from, to)).as("%s: %s to %s", what, from, to).isTrue();
        CleanupState cleanedFrom = cleanup(before);
        CleanupState cleanedTo = cleanup(after);
        assertThat(cleanedFrom == cleanedTo || AttemptLifecycle.allows(cleanedFrom, cleanedTo))
                .as("%s: %s to %s", what, cleanedFrom, cleanedTo)
                .isTrue();
        assertThat(cleanedTo == CleanupState.PENDING || to == ExecutionState.EXITED)
                .as(what)
                .isTrue();
        assertThat((to == ExecutionState.EXITED) == (after.get("exit_source") != null))
                .as(what)
                .isTrue();
    }

    private static boolean reaches(ExecutionState from, ExecutionState to) {
        return from == to || AttemptLifecycle.successors(from).stream().anyMatch(next -> reaches(next, to));
    }

    private static ExecutionState execution(Map<String, Object> attempt) {
        return Wire.parse(ExecutionState.class, (String) attempt.get("execution_state"))
                .orElseThrow();
    }

    private static CleanupState cleanup(Map<String, Object> attempt) {
        return Wire.parse(CleanupState.class, (String) attempt.get("cleanup_state"))
                .orElseThrow();
    }
}
