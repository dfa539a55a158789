package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;

/** One attempt of the random rounds: its child says by itself how it ends, and what clients were told is kept. */
final class Subject {
    private static final Set<String> KNOWN = Set.of("starting", "running", "stopping");

    private static final List<String> PROGRAMS = List.of(
            "echo 3 >> \"$D/ends\"; exit 3",
            "exec 2>/dev/null; trap 'echo 4 >> \"$D/ends\"; exit 4' TERM; while :; do sleep 0.1; done",
            "exec 2>/dev/null; trap '' TERM; while :; do sleep 0.1; done",
            "cat > \"$D/input\"; echo 5 >> \"$D/ends\"; exit 5");

    /** How the child ends that has read its input. */
    private static final Map<String, Object> READ_TO_THE_END = Map.of("code", 5L);

    final Child child;

    /** Input that a client was told is accepted, and input whose answer was cut: each a line of its own. */
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();

    /** A 2xx answer to the prepare, or to a start, was read. */
    private volatile boolean prepared;

    private volatile boolean started;

    /** A supervisor was killed before the exit was recorded. */
    private volatile boolean unseen;

    private volatile boolean over;

    Subject(BerthServer server, Random random, boolean unseen) {
        this.unseen = unseen;
        child = new Child(server, PROGRAMS.get(random.nextInt(PROGRAMS.size())));
        child.launch.timeout("stop_grace_ms", random.nextInt(600));
    }

    void toldPrepared() {
        prepared = true;
    }

    boolean isPrepared() {
        return prepared;
    }

    void toldStarted() {
        started = true;
    }

    void toldAccepted(String line) {
        accepted.add(line);
    }

    /** A supervisor is about to be killed: from now on this child's exit may be seen by nobody. */
    void supervisorMayMiss() {
        unseen = !over || unseen;
    }

    /** What a client was told outlives every kill. */
    void assertKept(Api api, String what) {
        int status = api.status(child.id).status();
        if (status == 404) {
            assertThat(prepared)
                    .as("%s: %s was prepared and is gone", what, child.id)
                    .isFalse();
            assertThat(child.starts())
                    .as("%s: starts of %s, which is unknown", what, child.id)
                    .isEmpty();
            return;
        }
        prepared = true;
        Records.agree(api, child);
        Map<String, Object> attempt = api.attempt(child.id);
        if (started) {
            assertThat(attempt.get("execution_state"))
                    .as("%s: %s was started", what, child.id)
                    .isNotEqualTo("intended");
        }
        if (!child.starts().isEmpty() && child.lives()) {
            // A start that a supervisor's kill cut is uncertain until the child was looked for.
            attempt = Await.value(
                    what + ": " + child.id + " lives and is known, or ended meanwhile",
                    () -> api.attempt(child.id),
                    seen -> KNOWN.contains(String.valueOf(seen.get("execution_state"))) || !child.lives());
        }
        if ("exited".equals(attempt.get("execution_state"))) {
            assertExit(api, attempt, what);
            over = true;
        }
    }

    /** Ends it and cleans it up. Only a start that a supervisor's kill cut may stay uncertain, and then nothing of it lives. */
    void end(Api api, String what) {
        if (!prepared) {
            return;
        }
        Map<String, Object> last = Await.value(
                what + ": " + child.id + " ends",
                () -> {
                    api.stop(child.id, "forced");
                    return api.attempt(child.id);
                },
                attempt -> "exited".equals(attempt.get("execution_state")) || cutShort(attempt));
        if ("exited".equals(last.get("execution_state"))) {
            Records.cleanUp(api, child);
            assertThat(api.attempt(child.id).get("evidence_count")).as(what).isEqualTo((long)
                    api.evidence(child.id).size());
        }
        assertKept(api, what);
    }

    private boolean cutShort(Map<String, Object> attempt) {
        return unseen
                && "uncertain".equals(attempt.get("execution_state"))
                && attempt.get("pid") == null
                && (child.starts().isEmpty() || !child.lives());
    }

    /** The exit is the one that the child told, or that of a signal that the evidence names; unknown if none could see it. */
    private void assertExit(Api api, Map<String, Object> attempt, String what) {
        List<String> kinds = api.evidenceKinds(child.id);
        List<String> ends = child.lines("ends");
        Object exit = attempt.get("exit");
        String name = "%s: exit of %s, which said %s, after %s".formatted(what, child.id, ends, kinds);
        assertThat(ends).as(name).hasSizeLessThanOrEqualTo(1);
        if ("not_started".equals(attempt.get("exit_source"))) {
            assertThat(ends).as(name).isEmpty();
            return;
        }
        assertThat(child.starts()).as(name).hasSizeLessThanOrEqualTo(1);
        boolean killed = kinds.contains("signal.kill");
        boolean terminated = kinds.contains("signal.term");
        Object told = ends.isEmpty() ? null : Map.of("code", Long.valueOf(ends.getFirst()));
        boolean known = exit.equals(told)
                || killed && exit.equals(Map.of("signal", 9L))
                || terminated && ends.isEmpty() && exit.equals(Map.of("signal", 15L));
        boolean unknown = unseen && ((Map<?, ?>) exit).containsKey("unknown");
        assertThat(known || unknown).as("%s is %s", name, exit).isTrue();
        if (known && !unseen) {
            assertThat(attempt).as(name).containsEntry("exit_source", "runner");
        }
        assertInput(exit, name);
    }

    /** Accepted is what the child can read; only one of them does, and one that a signal ends may not come to it. */
    private void assertInput(Object exit, String name) {
        List<String> input = child.lines("input");
        assertThat(input).as("input, %s", name).doesNotHaveDuplicates();
        if (exit.equals(READ_TO_THE_END) && !unseen) {
            assertThat(input).as("input, %s", name).containsAll(accepted);
        }
    }
}
