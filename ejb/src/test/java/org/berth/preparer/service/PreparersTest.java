package org.berth.preparer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.placement.Attempt;
import org.berth.placement.EvidenceKind;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.preparer.WorkdirPreparer.Plan;
import org.berth.preparer.WorkdirPreparer.Setup;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order, the records and the borders of preparers; over a real database. */
@Timeout(120)
class PreparersTest {
    @TempDir
    private Path temporary;

    private final PreparerBench bench = new PreparerBench();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final ScriptedPreparer first = new ScriptedPreparer("first", asked);
    private final ScriptedPreparer second = new ScriptedPreparer("second", asked);
    private Path work;
    private Path moved;
    private Attempt attempt;

    @BeforeEach
    void make() throws IOException {
        work = Files.createDirectory(temporary.toRealPath().resolve("work"));
        moved = Files.createDirectory(work.resolve("moved"));
        bench.writeRoots.add(work);
        bench.add(first);
        bench.add(second);
        attempt = bench.starting();
    }

    private Optional<Directories> setUp() {
        return bench.preparers()
                .setUp(
                        attempt,
                        bench.request(Map.of("first", "x", "second", "y")),
                        work,
                        bench.refusals::add,
                        () -> true);
    }

    private CleanupOutcome cleanUp() {
        return bench.preparers().cleanUp(bench.exited(attempt));
    }

    @Test
    void an_option_that_no_authorised_preparer_declares_is_refused_at_prepare() {
        Preparers preparers = bench.preparers();
        preparers.admit(bench.policy(), bench.request(Map.of("first", 1L, "second", 2L)));
        refuses(
                ProblemCode.INVALID,
                "options.third",
                () -> preparers.admit(bench.policy(), bench.request(Map.of("first", 1L, "third", 2L))));
        refuses(
                ProblemCode.INVALID,
                "options.first is bad",
                () -> preparers.admit(bench.policy(), bench.request(Map.of("first", "bad"))));

        bench.authorised.remove("second");
        refuses(
                ProblemCode.INVALID,
                "options.second",
                () -> preparers.admit(bench.policy(), bench.request(Map.of("second", 2L))));
    }

    @Test
    void all_plan_before_one_sets_up_and_cleanup_goes_backwards() {
        first.plan = new Plan(Map.of("n", 1L), moved);
        first.setup = context -> ScriptedPreparer.moved(moved);

        Directories directories = setUp().orElseThrow();
        assertThat(directories).isEqualTo(new Directories(moved, true, List.of()));
        assertThat(asked)
                .containsExactly(
                        "plan first " + work + " {first=x}",
                        "plan second " + moved + " {second=y}",
                        "setup first " + work + " {n=1}",
                        "setup second " + moved + " {n=1}");
        assertThat(bench.kinds(attempt)).containsExactly("state first", "state second", "setup first", "setup second");
        assertThat(bench.evidence(attempt).getFirst().detail())
                .containsEntry("binding", "first@1")
                .containsEntry("position", 0L);

        asked.clear();
        assertThat(cleanUp().settled()).isTrue();
        assertThat(asked).containsExactly("cleanup second {n=1}", "cleanup first {n=1}");
        assertThat(bench.kinds(attempt)).endsWith("cleaned second", "cleaned first");
        assertThat(bench.phases(attempt)).containsOnly(PreparerPhase.CLEANED);
    }

    @Test
    void plans_are_committed_before_the_first_setup() {
        first.setup = context -> {
            assertThat(bench.phases(attempt)).containsExactly(PreparerPhase.PLANNED, PreparerPhase.PLANNED);
            return new Setup(null, List.of(), List.of());
        };
        assertThat(setUp()).isPresent();
    }

    @Test
    void only_the_authorised_work_and_in_the_policy_s_order() {
        Collections.reverse(bench.authorised);
        bench.known.add(new ScriptedPreparer("third", asked));
        setUp();
        assertThat(asked)
                .extracting(each -> each.split(" ")[0] + " " + each.split(" ")[1])
                .containsExactly("plan second", "plan first", "setup second", "setup first");
    }

    @Test
    void nothing_is_recorded_when_none_plans() {
        first.plan = null;
        second.plan = null;
        assertThat(setUp()).contains(new Directories(work, true, List.of()));
        assertThat(bench.states(attempt)).isEmpty();
        assertThat(bench.evidence(attempt)).isEmpty();
        assertThat(cleanUp()).isEqualTo(new CleanupOutcome(List.of(), true));
    }

    @Test
    void a_refused_plan_or_one_that_is_too_large_leaves_its_evidence_and_no_setup() {
        second.plan = new Plan(Map.of("k", "x".repeat(PreparerPlan.MAX_STATE_BYTES)), null);
        refuses(ProblemCode.INVALID, "65", this::setUp);
        assertThat(bench.refusals).singleElement().satisfies(row -> {
            assertThat(row.kind()).isEqualTo(EvidenceKind.WORKDIR_PREPARER_FAILED);
            assertThat(row.detail()).containsEntry("preparer", "second").containsEntry("step", "plan");
        });
        assertThat(bench.states(attempt)).isEmpty();
        assertThat(asked).noneMatch(each -> each.startsWith("setup"));
    }

    @Test
    void a_failed_setup_ends_the_start_and_every_plan_gets_its_cleanup() {
        first.setup = context -> {
            throw new IllegalStateException("secret");
        };
        refuses(ProblemCode.INTERNAL, "the setup of the preparer first failed", this::setUp);
        assertThat(bench.refusals.getFirst().detail().toString())
                .contains("first")
                .doesNotContain("secret");
        assertThat(asked).noneMatch(each -> each.startsWith("setup second"));

        assertThat(cleanUp().settled()).isTrue();
        assertThat(asked).endsWith("cleanup second {n=1}", "cleanup first {n=1}");
    }

    @Test
    void a_start_that_may_not_go_on_sets_up_no_more() {
        int[] left = {1};
        assertThat(bench.preparers()
                        .setUp(attempt, bench.request(Map.of()), work, bench.refusals::add, () -> left[0]-- > 0))
                .isEmpty();
        assertThat(bench.phases(attempt)).containsExactly(PreparerPhase.SET_UP, PreparerPhase.PLANNED);
        assertThat(bench.refusals).isEmpty();
    }

    @Test
    void a_setup_that_is_repeated_uses_the_recorded_plan_and_leaves_one_row() {
        setUp();
        first.plan = new Plan(Map.of("n", 2L), null);
        setUp();
        assertThat(asked)
                .filteredOn(each -> each.startsWith("setup first"))
                .allMatch(each -> each.endsWith("{n=1}"))
                .hasSize(2);
        assertThat(bench.kinds(attempt)).hasSize(4);
    }

    @Test
    void another_binding_or_one_that_is_no_longer_authorised_cannot_take_up_a_recorded_plan() {
        setUp();
        asked.clear();
        second.binding = "@2";
        refuses(ProblemCode.CONFLICT, "second changed", this::setUp);
        second.binding = "@1";
        bench.authorised.remove("first");
        refuses(ProblemCode.DENIED, "first", this::setUp);
        assertThat(asked).isEmpty();
    }

    @Test
    void what_was_cleaned_up_is_not_set_up_again() {
        setUp();
        cleanUp();
        refuses(ProblemCode.CONFLICT, "cleaned up", this::setUp);
    }

    @Test
    void directories_are_judged_by_where_they_really_are() throws IOException {
        Path outside = Files.createDirectory(temporary.toRealPath().resolve("outside"));
        Path inward = Files.createSymbolicLink(outside.resolve("inward"), moved);
        Path outward = Files.createSymbolicLink(work.resolve("outward"), outside);
        first.setup = context -> ScriptedPreparer.moved(inward);
        assertThat(setUp().orElseThrow().workingDirectory()).isEqualTo(moved);

        for (Path bad : List.of(
                outside,
                outward,
                work.resolve("../outside"),
                moved.resolve("../../outside"),
                work.resolve("absent"),
                Path.of("relative"),
                Files.createFile(work.resolve("file")))) {
            for (Setup answer : List.of(
                    ScriptedPreparer.moved(bad),
                    new Setup(null, List.of(bad), List.of()),
                    new Setup(null, List.of(), List.of(bad)))) {
                attempt = bench.starting();
                bench.refusals.clear();
                first.setup = context -> answer;
                refuses(ProblemCode.DENIED, "the preparer first answered", this::setUp);
                assertThat(bench.refusals).hasSize(1);
                assertThat(bench.phases(attempt)).first().isEqualTo(PreparerPhase.PLANNED);
            }
        }
    }

    @Test
    void a_copy_of_berth_s_own_stands_for_a_write_root_and_nothing_beside_it() throws IOException {
        bench.ownCopies = Files.createDirectory(temporary.toRealPath().resolve("copies"));
        Path copy = Files.createDirectory(bench.ownCopies.resolve("one"));
        Path other = Files.createDirectory(bench.ownCopies.resolve("other"));
        first.setup = context -> new Setup(copy, List.of(), List.of(copy));
        second.setup = context -> new Setup(null, List.of(copy, work, moved), List.of());
        assertThat(setUp()).contains(new Directories(copy, true, List.of(work)));

        attempt = bench.starting();
        second.setup = context -> ScriptedPreparer.moved(other);
        refuses(ProblemCode.DENIED, "outside the launch's write grants", this::setUp);
    }

    @Test
    void a_read_only_working_directory_is_told_apart() {
        bench.writeRoots.clear();
        bench.writeRoots.add(moved);
        second.setup = context -> new Setup(null, List.of(moved), List.of());
        assertThat(setUp()).contains(new Directories(work, false, List.of(moved)));
    }

    @Test
    void one_that_changed_since_its_plan_or_is_gone_fails_and_is_kept_for_the_sweep() {
        setUp();
        first.binding = "@2";
        bench.known.remove(second);
        CleanupOutcome outcome = cleanUp();
        assertThat(outcome.settled()).isFalse();
        assertThat(outcome.recorded()).hasSize(2);
        assertThat(asked).noneMatch(each -> each.startsWith("cleanup"));
        assertThat(bench.phases(attempt)).containsOnly(PreparerPhase.FAILED);

        assertThat(cleanUp().recorded())
                .as("a failure that is known leaves no second row")
                .isEmpty();
        first.binding = "@1";
        assertThat(sweep()).isZero();
        assertThat(bench.phases(attempt)).containsExactly(PreparerPhase.CLEANED, PreparerPhase.FAILED);
        bench.known.add(second);
        assertThat(sweep()).isEqualTo(1);
        assertThat(sweep()).isZero();
        assertThat(bench.phases(attempt)).containsOnly(PreparerPhase.CLEANED);
    }

    /** How many of the attempts that wait are settled now. */
    private long sweep() {
        return bench.preparers().outstanding("host-1", 10).stream()
                .filter(each -> bench.preparers().cleanUp(each).settled())
                .count();
    }

    @Test
    void a_cleanup_needs_no_authorisation_any_more() {
        setUp();
        bench.authorised.clear();
        assertThat(cleanUp().settled()).isTrue();
    }

    @Test
    void what_is_retained_is_settled_and_says_why() {
        setUp();
        second.cleanup = context -> new Cleanup("dirty", Map.of("worktree", "/srv/x"));
        CleanupOutcome outcome = cleanUp();
        assertThat(outcome.settled()).isTrue();
        assertThat(outcome.recorded().getFirst().kind()).isEqualTo(EvidenceKind.WORKDIR_PREPARER_RETAINED);
        assertThat(outcome.recorded().getFirst().detail())
                .containsEntry("reason", "dirty")
                .containsEntry("worktree", "/srv/x")
                .containsEntry("preparer", "second");
        asked.clear();
        assertThat(cleanUp()).isEqualTo(new CleanupOutcome(List.of(), true));
        assertThat(asked).isEmpty();
    }

    @Test
    void a_cleanup_learns_whether_the_grants_hold() {
        setUp();
        List<Boolean> told = new ArrayList<>();
        first.cleanup = context -> {
            told.add(context.grantsHold());
            throw BerthException.conflict("later");
        };
        cleanUp();
        bench.grantsHold = false;
        cleanUp();
        assertThat(told).containsExactly(true, false);
    }

    @Test
    void a_row_that_could_not_be_written_keeps_nobody_and_is_done_again() {
        setUp();
        Attempt exited = bench.exited(attempt);
        bench.failing = 1;
        CleanupOutcome outcome = bench.preparers().cleanUp(exited);
        assertThat(outcome.settled()).isFalse();
        assertThat(bench.phases(attempt)).containsExactly(PreparerPhase.CLEANED, PreparerPhase.SET_UP);
        assertThat(bench.preparers().cleanUp(exited).settled()).isTrue();
    }

    @Test
    void overlapping_cleanups_agree_and_each_plan_is_cleaned_once() throws Exception {
        setUp();
        AtomicInteger cleanups = new AtomicInteger();
        first.cleanup = context -> {
            cleanups.incrementAndGet();
            return new Cleanup(null, Map.of());
        };
        Attempt exited = bench.exited(attempt);
        Preparers preparers = bench.preparers();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<CleanupOutcome>> calls = Collections.nCopies(8, () -> preparers.cleanUp(exited));
            for (Future<CleanupOutcome> each : threads.invokeAll(calls)) {
                assertThat(each.get().settled()).isTrue();
            }
        }
        assertThat(cleanups).hasValue(1);
        assertThat(bench.kinds(attempt)).containsOnlyOnce("cleaned first", "cleaned second");
    }

    private static void refuses(ProblemCode code, String part, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BerthException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal).hasMessageContaining(part);
        });
    }
}
