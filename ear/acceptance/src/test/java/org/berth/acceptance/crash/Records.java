package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Proc;

/** What must hold of every attempt after every crash. */
final class Records {
    private Records() {}

    /** Evidence has no gap and no second start or exit; the children agree. */
    static void agree(Api api, Child child) {
        List<Map<String, Object>> rows = api.evidence(child.id);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).get("sequence"))
                    .as("evidence of %s", child.id)
                    .isEqualTo(i + 1L);
        }
        List<String> kinds = api.evidenceKinds(child.id);
        assertThat(kinds).as(child.id).containsOnlyOnce("intent.recorded");
        for (String once : List.of("runner.started", "child.started", "child.exited", "cleanup.complete")) {
            assertThat(kinds.stream().filter(once::equals).count())
                    .as("%s of %s in %s", once, child.id, kinds)
                    .isLessThanOrEqualTo(1);
        }
        assertThat(child.starts()).as("starts of %s", child.id).hasSizeLessThanOrEqualTo(1);
        Map<String, Object> attempt = api.attempt(child.id);
        if (kinds.contains("child.not_started")) {
            assertThat(child.starts())
                    .as("starts of %s, which did not start", child.id)
                    .isEmpty();
            assertThat(attempt).containsEntry("exit_source", "not_started");
        }
        if ("exited".equals(attempt.get("execution_state"))) {
            assertThat(attempt.get("exit_source"))
                    .as("exit source of %s", child.id)
                    .isNotNull();
            if (!child.starts().isEmpty()) {
                assertThat(child.lives())
                        .as("%s lives and is recorded as exited", child.id)
                        .isFalse();
            }
        }
    }

    /** The exit is known, and known from the wait. */
    static void exitedWith(Api api, Child child, int code) {
        assertThat(api.awaitExit(child.id)).as(child.id).isEqualTo(Map.of("code", (long) code));
        assertThat(api.attempt(child.id)).as(child.id).containsEntry("exit_source", "runner");
    }

    /** The process is gone and nobody saw how. */
    static void exitedUnseen(Api api, Child child) {
        assertThat(api.awaitExit(child.id)).as(child.id).containsOnlyKeys("unknown");
        assertThat(api.attempt(child.id)).as(child.id).containsEntry("exit_source", "reconcile");
    }

    /** Ends what still runs, cleans up, and looks once more. */
    static void endAndCleanUp(Api api, Child child) {
        if (!"exited".equals(api.attempt(child.id).get("execution_state"))) {
            api.stop(child.id, "forced").expect(200);
        }
        api.awaitExit(child.id);
        cleanUp(api, child);
    }

    static void cleanUp(Api api, Child child) {
        Await.until(
                "cleanup of " + child.id + " is complete",
                () -> api.cleanUp(child.id).status() == 200);
        assertThat(api.attempt(child.id)).containsEntry("cleanup_state", "complete");
        agree(api, child);
    }

    /** Every process that carries an attempt's mark and lives below this server's state root is the child of one. */
    static void noOrphans(BerthServer server, List<Child> children) {
        List<Long> known = new ArrayList<>();
        children.forEach(child -> child.starts().forEach(pid -> known.add(Long.valueOf(pid))));
        Await.until(
                "no process without an attempt",
                Duration.ofSeconds(10),
                () -> server.children().stream()
                        .map(pid -> Proc.stat(pid, 5))
                        .filter(group -> !group.isEmpty())
                        .allMatch(group -> known.contains(Long.valueOf(group))));
    }
}
