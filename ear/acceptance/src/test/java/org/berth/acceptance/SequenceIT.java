package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whatever is asked in whatever order, an attempt takes only steps that the tables list, and leaves no gap. */
class SequenceIT {
    private static final int SEQUENCES = 200;
    private static final int STEPS = 8;
    private static final List<String> PROGRAMS =
            List.of("exit 3", "exec sleep 300", "trap '' TERM; sleep 300 & wait; wait", "exec cat", "kill -KILL $$");

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void randomOperationsTakeOnlyListedSteps() {
        long seed = Long.getLong("berth.acceptance.seed", 20_260_401L);
        Random random = new Random(seed);
        for (int i = 0; i < SEQUENCES; i++) {
            sequence(random, "seed " + seed + ", sequence " + i);
        }
    }

    private void sequence(Random random, String name) {
        String id = api.prepared(aLaunch()
                .script(PROGRAMS.get(random.nextInt(PROGRAMS.size())))
                .timeout("stop_grace_ms", random.nextInt(100)));
        List<String> taken = new ArrayList<>();
        Map<String, Object> before = api.attempt(id);
        for (int step = 0; step < STEPS; step++) {
            String operation = operate(random, id);
            taken.add(operation);
            Map<String, Object> after = api.attempt(id);
            ListedSteps.assertReached(before, after, name + " " + taken);
            before = after;
        }
        api.stop(id, "forced");
        api.awaitExit(id);
        Await.until(name + " is cleaned up " + taken, () -> api.cleanUp(id).status() == 200);
        Map<String, Object> last = api.attempt(id);
        assertThat(last).as(name).containsEntry("cleanup_state", "complete");
        assertThat(last.get("exit_source")).as(name + taken).isNotNull();
        List<Map<String, Object>> evidence = api.evidence(id);
        assertThat(evidence.stream().map(row -> row.get("sequence")))
                .as(name)
                .isEqualTo(LongStream.rangeClosed(1, evidence.size()).boxed().toList());
        assertThat(last.get("evidence_count")).as(name).isEqualTo((long) evidence.size());
        List<Object> kinds = evidence.stream().map(row -> row.get("kind")).toList();
        for (String once : List.of("child.started", "child.exited", "cleanup.complete", "runner.started")) {
            assertThat(kinds.stream().filter(once::equals).count())
                    .as("%s of %s %s: %s", once, name, taken, kinds)
                    .isLessThanOrEqualTo(1);
        }
    }

    private String operate(Random random, String id) {
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                return "start " + api.start(id).status();
            }
            case 2 -> {
                return "cooperative " + api.stop(id, "cooperative").status();
            }
            case 3 -> {
                return "forced " + api.stop(id, "forced").status();
            }
            case 4 -> {
                return "cleanup " + api.cleanUp(id).status();
            }
            case 5 -> {
                return "attach " + api.attach(id).status();
            }
            case 6 -> {
                return "reconcile " + api.reconcile(id).status();
            }
            default -> {
                Object pid = api.attempt(id).get("pid");
                boolean ours = pid instanceof Long number && server.children().contains(number);
                if (ours) {
                    ProcessHandle.of((Long) pid).ifPresent(ProcessHandle::destroyForcibly);
                }
                return "kill " + ours;
            }
        }
    }
}
