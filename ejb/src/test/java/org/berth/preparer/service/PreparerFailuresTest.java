package org.berth.preparer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.placement.Attempt;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.preparer.WorkdirPreparer.Setup;
import org.berth.problem.BerthException;

/** One failure never keeps the others from their cleanup. Source: placement.md, Preparers. */
class PreparerFailuresTest {
    /** What a preparer does in a run: whether its setup fails, and how each cleanup in turn ends. */
    record Script(boolean setupFails, List<End> ends) {}

    /** How one cleanup ends. */
    enum End {
        CLEANED,
        RETAINED,
        REFUSED,
        BROKEN,
        NULL
    }

    @Provide
    Arbitrary<List<Script>> scripts() {
        Arbitrary<List<End>> ends =
                Arbitraries.of(End.class).list().ofMinSize(1).ofMaxSize(3);
        Arbitrary<Boolean> fails =
                Arbitraries.frequency(net.jqwik.api.Tuple.of(4, false), net.jqwik.api.Tuple.of(1, true));
        return net.jqwik.api.Combinators.combine(fails, ends)
                .as(Script::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4);
    }

    @Property(tries = 60)
    void every_plan_is_cleaned_in_reverse_order_until_it_is_settled(@ForAll("scripts") List<Script> scripts) {
        PreparerBench bench = new PreparerBench();
        List<String> asked = new ArrayList<>();
        List<int[]> turns = new ArrayList<>();
        for (int i = 0; i < scripts.size(); i++) {
            turns.add(new int[1]);
            bench.add(preparer("p" + i, scripts.get(i), turns.get(i), asked));
        }
        Attempt attempt = bench.starting();
        try {
            bench.preparers().setUp(attempt, bench.request(Map.of()), Path.of("/"), row -> {}, () -> true);
        } catch (BerthException refusal) {
            assertThat(scripts).anyMatch(Script::setupFails);
        }
        Attempt exited = bench.exited(attempt);

        for (int pass = 0; pass < 4; pass++) {
            List<PreparerPhase> before = bench.phases(exited);
            asked.clear();
            CleanupOutcome outcome = bench.preparers().cleanUp(exited);

            List<String> expected = new ArrayList<>();
            for (int i = scripts.size() - 1; i >= 0; i--) {
                if (!before.get(i).isSettled()) {
                    expected.add("cleanup p" + i + " {n=1}");
                }
            }
            assertThat(asked).isEqualTo(expected);
            List<PreparerPhase> after = bench.phases(exited);
            for (int i = 0; i < scripts.size(); i++) {
                assertThat(after.get(i))
                        .isEqualTo(
                                before.get(i).isSettled() ? before.get(i) : phase(scripts.get(i), turns.get(i)[0] - 1));
            }
            assertThat(outcome.settled()).isEqualTo(after.stream().allMatch(PreparerPhase::isSettled));
        }
    }

    private static ScriptedPreparer preparer(String name, Script script, int[] turn, List<String> asked) {
        ScriptedPreparer preparer = new ScriptedPreparer(name, asked);
        preparer.setup = context -> {
            if (script.setupFails()) {
                throw BerthException.conflict("not now");
            }
            return new Setup(null, List.of(), List.of());
        };
        preparer.cleanup = context -> switch (end(script, turn[0]++)) {
            case CLEANED -> new Cleanup(null, Map.of("n", 1));
            case RETAINED -> new Cleanup("dirty", Map.of());
            case REFUSED -> throw BerthException.unavailable("not now");
            case BROKEN -> throw new IllegalStateException("broken");
            case NULL -> null;
        };
        return preparer;
    }

    private static End end(Script script, int turn) {
        return script.ends().get(Math.min(turn, script.ends().size() - 1));
    }

    private static PreparerPhase phase(Script script, int turn) {
        return switch (end(script, turn)) {
            case CLEANED -> PreparerPhase.CLEANED;
            case RETAINED -> PreparerPhase.RETAINED;
            case REFUSED, BROKEN, NULL -> PreparerPhase.FAILED;
        };
    }
}
