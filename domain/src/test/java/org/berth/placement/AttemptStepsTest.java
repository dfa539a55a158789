package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class AttemptStepsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ProcessIdentity CHILD = new ProcessIdentity(7, 7, 70, "boot", null);
    private static final String RUNNER = "runner";

    private static Attempt intended() {
        return new Attempt(
                "a",
                "x",
                "o",
                1,
                "k",
                "0".repeat(64),
                "{}",
                "1".repeat(32),
                "2".repeat(32),
                "h",
                "default",
                "/bin/true",
                "s",
                "3".repeat(32),
                "3".repeat(32),
                List.of(),
                ExecutionState.INTENDED,
                CleanupState.PENDING,
                Capability.PROCESS_GROUP,
                Capability.PROCESS_GROUP,
                ExitObservation.INDEPENDENT,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                NOW,
                NOW,
                null,
                0);
    }

    /** Applies steps as the store does, and keeps what was recorded. */
    private static final class Ledger {
        private Attempt attempt = intended();
        private final List<Evidence> evidence = new ArrayList<>();
        private final List<ExecutionState> states = new ArrayList<>(List.of(attempt.executionState()));

        void apply(Step step) {
            if (!step.changed()) {
                return;
            }
            Attempt before = attempt;
            attempt = step.attempt();
            evidence.addAll(step.evidence());
            if (attempt.executionState() != before.executionState()) {
                assertThat(AttemptLifecycle.allows(before.executionState(), attempt.executionState()))
                        .as("%s may become %s", before.executionState(), attempt.executionState())
                        .isTrue();
                states.add(attempt.executionState());
            }
            if (attempt.cleanupState() != before.cleanupState()) {
                assertThat(AttemptLifecycle.allows(before.cleanupState(), attempt.cleanupState()))
                        .isTrue();
            }
        }

        long count(EvidenceKind kind) {
            return evidence.stream().filter(row -> row.kind() == kind).count();
        }
    }

    /** What may happen to an attempt, from inside and outside, at any moment. */
    enum Happening {
        CLAIM,
        CLAIM_BY_ANOTHER,
        STARTED,
        NOT_STARTED,
        UNCERTAIN,
        STOP,
        STOP_FORCED,
        EXIT_EVENT,
        EXIT_EVENT_AGAIN,
        SIGNAL_EVENT,
        ABSENT,
        CLEANUP_PROVEN,
        CLEANUP_REFUSED,
        CLEANUP_FAILED,
        ATTACH,
        RECONCILED
    }

    private static Step step(Attempt now, Happening happening) {
        return switch (happening) {
            case CLAIM -> AttemptSteps.claim(now, RUNNER, NOW);
            case CLAIM_BY_ANOTHER -> AttemptSteps.claim(now, "another", NOW);
            case STARTED -> AttemptSteps.started(now, CHILD, null, NOW);
            case NOT_STARTED ->
                AttemptSteps.notStarted(now, Evidence.of(NOW, EvidenceKind.CHILD_REFUSED, Map.of()), NOW);
            case UNCERTAIN ->
                AttemptSteps.uncertain(now, Evidence.of(NOW, EvidenceKind.RECONCILE_UNIDENTIFIED, Map.of()), NOW);
            case STOP -> AttemptSteps.stop(now, StopMode.COOPERATIVE, NOW);
            case STOP_FORCED -> AttemptSteps.stop(now, StopMode.FORCED, NOW);
            case EXIT_EVENT -> AttemptSteps.event(now, exit(now.recordedEvents() + 1), CHILD, NOW);
            case EXIT_EVENT_AGAIN -> AttemptSteps.event(now, exit(now.recordedEvents()), CHILD, NOW);
            case SIGNAL_EVENT ->
                AttemptSteps.event(
                        now,
                        new ProcessEvent(
                                now.attemptKey(),
                                now.nonce(),
                                now.recordedEvents() + 1,
                                NOW,
                                EvidenceKind.SIGNAL_TERM,
                                Map.of(),
                                null),
                        null,
                        NOW);
            case ABSENT -> AttemptSteps.absent(now, "another boot", NOW);
            case CLEANUP_PROVEN ->
                now.executionState() == ExecutionState.EXITED
                        ? AttemptSteps.cleanedUp(now, "gone", NOW)
                        : Step.keep(now);
            case CLEANUP_REFUSED -> AttemptSteps.cleanupRefused(now, "members live", List.of(9L), NOW);
            case CLEANUP_FAILED ->
                now.executionState() == ExecutionState.EXITED
                        ? AttemptSteps.cleanupFailed(now, "home", NOW)
                        : Step.keep(now);
            case ATTACH -> AttemptSteps.attach(now, NOW);
            case RECONCILED -> AttemptSteps.observed(now, EvidenceKind.RECONCILE_ALIVE, Map.of(), NOW);
        };
    }

    private static ProcessEvent exit(long sequence) {
        return new ProcessEvent(
                "1".repeat(32),
                "2".repeat(32),
                sequence,
                NOW,
                EvidenceKind.CHILD_EXITED,
                Map.of("survivors", ""),
                new Exit.Exited(3));
    }

    @Provide
    Arbitrary<List<Happening>> happenings() {
        return Arbitraries.of(Happening.class).list().ofMinSize(1).ofMaxSize(40);
    }

    @Property(tries = 5000)
    void noSequenceOfHappeningsLeavesTheTables(@ForAll("happenings") List<Happening> happenings) {
        Ledger ledger = new Ledger();
        happenings.forEach(happening -> ledger.apply(step(ledger.attempt, happening)));
        Attempt end = ledger.attempt;
        assertThat(end.executionState() == ExecutionState.EXITED).isEqualTo(end.exitSource() != null);
        assertThat(end.exit() == null).isEqualTo(end.exitSource() == null);
        if (end.exitSource() == ExitSource.NOT_STARTED) {
            assertThat(end.identity()).as("nothing was ever started").isNull();
        }
        assertThat(ledger.count(EvidenceKind.CHILD_STARTED)).isLessThanOrEqualTo(1);
        assertThat(ledger.count(EvidenceKind.RUNNER_STARTED)).isLessThanOrEqualTo(1);
        assertThat(end.sessionHolder() == null).isEqualTo(end.cleanupState() == CleanupState.COMPLETE);
        assertThat(ledger.states).doesNotHaveDuplicates();
    }

    @Property
    void anAttemptThatEndedStaysAsItEnded(
            @ForAll("happenings") List<Happening> before, @ForAll("happenings") List<Happening> after) {
        Ledger ledger = new Ledger();
        before.forEach(happening -> ledger.apply(step(ledger.attempt, happening)));
        ledger.apply(step(ledger.attempt, Happening.CLAIM));
        ledger.apply(step(ledger.attempt, Happening.EXIT_EVENT));
        Attempt ended = ledger.attempt;
        if (ended.executionState() != ExecutionState.EXITED) {
            return;
        }
        after.forEach(happening -> ledger.apply(step(ledger.attempt, happening)));
        assertThat(ledger.attempt.exit()).isEqualTo(ended.exit());
        assertThat(ledger.attempt.exitSource()).isEqualTo(ended.exitSource());
        assertThat(ledger.attempt.executionState()).isEqualTo(ExecutionState.EXITED);
    }

    @Property
    void anEventThatComesAgainChangesNothing(@ForAll("happenings") @Size(max = 20) List<Happening> before) {
        Ledger ledger = new Ledger();
        before.forEach(happening -> ledger.apply(step(ledger.attempt, happening)));
        ProcessEvent event = exit(ledger.attempt.recordedEvents() + 1);
        ledger.apply(AttemptSteps.event(ledger.attempt, event, CHILD, NOW));
        assertThat(AttemptSteps.event(ledger.attempt, event, CHILD, NOW).changed())
                .isFalse();
    }

    @Test
    void anExitThatOvertakesTheAnswerToTheSpawnRecordsStartAndExitInOneStep() {
        Ledger ledger = new Ledger();
        ledger.apply(step(ledger.attempt, Happening.CLAIM));
        Step overtaken = step(ledger.attempt, Happening.EXIT_EVENT);
        assertThat(overtaken.evidence())
                .extracting(Evidence::kind)
                .containsExactly(EvidenceKind.CHILD_STARTED, EvidenceKind.CHILD_EXITED);
        ledger.apply(overtaken);
        assertThat(step(ledger.attempt, Happening.STARTED).changed()).isFalse();
        assertThat(ledger.attempt.executionState()).isEqualTo(ExecutionState.EXITED);
        assertThat(ledger.attempt.exitSource()).isEqualTo(ExitSource.RUNNER);
    }

    @Test
    void aStopThatCameFirstIsNotOverwrittenByTheStart() {
        Ledger ledger = new Ledger();
        ledger.apply(step(ledger.attempt, Happening.CLAIM));
        ledger.apply(step(ledger.attempt, Happening.STOP));
        ledger.apply(step(ledger.attempt, Happening.STARTED));
        assertThat(ledger.attempt.executionState()).isEqualTo(ExecutionState.STOPPING);
        assertThat(ledger.attempt.identity()).isEqualTo(CHILD);
    }

    @Test
    void aStopBeforeTheClaimEndsTheAttemptAndFreesItsSession() {
        Ledger ledger = new Ledger();
        ledger.apply(step(ledger.attempt, Happening.STOP));
        assertThat(ledger.attempt.executionState()).isEqualTo(ExecutionState.EXITED);
        assertThat(ledger.attempt.cleanupState()).isEqualTo(CleanupState.COMPLETE);
        assertThat(ledger.attempt.exitSource()).isEqualTo(ExitSource.NOT_STARTED);
        assertThat(ledger.attempt.sessionHolder()).isNull();
        assertThat(step(ledger.attempt, Happening.CLAIM).changed()).isFalse();
    }

    @Test
    void onlyTheFirstRunnerClaims() {
        Ledger ledger = new Ledger();
        ledger.apply(step(ledger.attempt, Happening.CLAIM));
        assertThat(step(ledger.attempt, Happening.CLAIM_BY_ANOTHER).changed()).isFalse();
        assertThat(AttemptSteps.mayGoOn(ledger.attempt, RUNNER)).isTrue();
        assertThat(AttemptSteps.mayGoOn(ledger.attempt, "another")).isFalse();
    }

    @Test
    void cleanupIsRefusedUntilTheExitIsRecorded() {
        Set<ExecutionState> early = Set.of(
                ExecutionState.INTENDED, ExecutionState.STARTING, ExecutionState.RUNNING, ExecutionState.STOPPING);
        for (ExecutionState state : early) {
            Attempt attempt = intended().change().executionState(state).apply();
            assertThat(AttemptSteps.mayCleanUp(attempt).refusal().code()).isEqualTo(ProblemCode.CONFLICT);
        }
        Attempt uncertain =
                intended().change().executionState(ExecutionState.UNCERTAIN).apply();
        assertThat(AttemptSteps.mayCleanUp(uncertain).refusal().code()).isEqualTo(ProblemCode.UNCERTAIN);
    }

    @Test
    void aForcedStopAfterACooperativeOneIsSentAndTheSameOneAgainIsNot() {
        Ledger ledger = new Ledger();
        ledger.apply(step(ledger.attempt, Happening.CLAIM));
        ledger.apply(step(ledger.attempt, Happening.STARTED));
        ledger.apply(step(ledger.attempt, Happening.STOP));
        assertThat(step(ledger.attempt, Happening.STOP).changed()).isFalse();
        assertThat(step(ledger.attempt, Happening.STOP_FORCED).changed()).isTrue();
    }
}
