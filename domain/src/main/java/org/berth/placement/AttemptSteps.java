package org.berth.placement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.AttemptLifecycle.Decision;
import org.berth.placement.AttemptLifecycle.Event;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The rules of one attempt as pure functions: from the locked snapshot and what happened to the {@link Step} that one
 * transaction records. Every change of the execution state goes through {@link AttemptLifecycle}. Source:
 * placement.md, State machine and Start.
 */
public final class AttemptSteps {
    private AttemptSteps() {}

    /** A runner claims the start. Only the first does; everybody else reads the recorded attempt. */
    public static Step claim(Attempt attempt, String runnerId, Instant now) {
        return switch (AttemptLifecycle.decide(attempt.executionState(), Event.CLAIMED)) {
            case Decision.Apply apply ->
                Step.record(
                        attempt.change()
                                .executionState(apply.next())
                                .runnerId(runnerId)
                                .updatedAt(now)
                                .apply(),
                        Evidence.of(now, EvidenceKind.RUNNER_STARTED, Map.of("runner", runnerId)));
            case Decision.AlreadyDone done -> Step.keep(attempt);
            case Decision.Refuse refuse -> Step.keep(attempt);
        };
    }

    /** The runner's own check before each outside effect: still starting, still its own. */
    public static boolean mayGoOn(Attempt attempt, String runnerId) {
        return attempt.executionState() == ExecutionState.STARTING && runnerId.equals(attempt.runnerId());
    }

    /**
     * The child runs. A stop or an exit that came first keeps its state; the identity is recorded all the same. A child
     * of an attempt that is recorded as never started is none of its record: the caller ends that child.
     */
    public static Step started(Attempt attempt, ProcessIdentity identity, ExecutableMeasurement measured, Instant now) {
        if (attempt.identity() != null || attempt.exitSource() == ExitSource.NOT_STARTED) {
            return Step.keep(attempt);
        }
        Attempt.Change change = attempt.change().identity(identity).updatedAt(now);
        switch (AttemptLifecycle.decide(attempt.executionState(), Event.CHILD_STARTED)) {
            case Decision.Apply apply -> change.executionState(apply.next());
            case Decision.AlreadyDone done -> {}
            case Decision.Refuse refuse -> {
                return Step.keep(attempt);
            }
        }
        return new Step(change.apply(), true, startedEvidence(identity, measured, now), null);
    }

    private static List<Evidence> startedEvidence(
            ProcessIdentity identity, ExecutableMeasurement measured, Instant now) {
        List<Evidence> rows = new ArrayList<>();
        if (measured != null) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("revision", ExecutableMeasurement.REVISION);
            detail.put("kind", Wire.name(measured.kind()));
            detail.put("digest", measured.digest());
            detail.put("size", measured.size());
            if (measured.interpreter() != null) {
                detail.put("interpreter", measured.interpreter());
            }
            if (measured.interpreterDigest() != null) {
                detail.put("interpreter_digest", measured.interpreterDigest());
            }
            rows.add(Evidence.of(now, EvidenceKind.EXECUTABLE_MEASURED, detail));
        }
        rows.add(Evidence.of(now, EvidenceKind.CHILD_STARTED, identityDetail(identity)));
        return rows;
    }

    private static Map<String, Object> identityDetail(ProcessIdentity identity) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("pid", identity.pid());
        detail.put("group", identity.group());
        detail.put("start_ticks", identity.startTicks());
        detail.put("boot_id", identity.bootId());
        if (identity.tree() != null) {
            detail.put("init_pid", identity.tree().initPid());
            detail.put("inner_pid", identity.tree().innerPid());
        }
        return detail;
    }

    /** The start ended before any child existed; {@code phase} is the evidence of what refused it. */
    public static Step notStarted(Attempt attempt, Evidence phase, Instant now) {
        if (attempt.identity() != null
                || !(AttemptLifecycle.decide(attempt.executionState(), Event.CHILD_NOT_STARTED)
                        instanceof Decision.Apply apply)) {
            return Step.keep(attempt);
        }
        Attempt changed = attempt.change()
                .executionState(apply.next())
                .exit(new Exit.Unknown("no child was started"), ExitSource.NOT_STARTED)
                .updatedAt(now)
                .apply();
        Evidence proof = Evidence.of(now, EvidenceKind.CHILD_NOT_STARTED, Map.of());
        return phase == null ? Step.record(changed, proof) : Step.record(changed, phase, proof);
    }

    /** Whether a child exists, or what became of it, cannot be told. */
    public static Step uncertain(Attempt attempt, Evidence why, Instant now) {
        return switch (AttemptLifecycle.decide(attempt.executionState(), Event.BECAME_UNCERTAIN)) {
            case Decision.Apply apply ->
                Step.record(
                        attempt.change()
                                .executionState(apply.next())
                                .updatedAt(now)
                                .apply(),
                        why);
            case Decision.AlreadyDone done ->
                Step.record(attempt.change().updatedAt(now).apply(), why);
            case Decision.Refuse refuse -> Step.keep(attempt);
        };
    }

    /** A caller asks for a stop. Before the claim it ends the attempt and its cleanup at once. */
    public static Step stop(Attempt attempt, StopMode mode, Instant now) {
        Evidence asked = Evidence.of(now, EvidenceKind.STOP_REQUESTED, Map.of("mode", Wire.name(mode)));
        if (attempt.executionState() == ExecutionState.INTENDED) {
            Attempt ended = attempt.change()
                    .executionState(ExecutionState.EXITED)
                    .cleanupState(CleanupState.COMPLETE)
                    .sessionHolder(null)
                    .stopRequested(mode)
                    .exit(new Exit.Unknown("no child was started"), ExitSource.NOT_STARTED)
                    .updatedAt(now)
                    .apply();
            return Step.record(
                    ended,
                    asked,
                    Evidence.of(now, EvidenceKind.CHILD_NOT_STARTED, Map.of()),
                    Evidence.of(now, EvidenceKind.CLEANUP_COMPLETE, Map.of("proof", "no child was started")));
        }
        if (attempt.executionState() == ExecutionState.EXITED && attempt.cleanupState() == CleanupState.COMPLETE) {
            return Step.keep(attempt);
        }
        if (attempt.stopRequested() == mode || attempt.stopRequested() == StopMode.FORCED) {
            return Step.keep(attempt);
        }
        Attempt.Change change = attempt.change().stopRequested(mode).updatedAt(now);
        if (AttemptLifecycle.decide(attempt.executionState(), Event.STOP_REQUESTED) instanceof Decision.Apply apply) {
            change.executionState(apply.next());
        }
        return Step.record(change.apply(), asked);
    }

    /** One journalled event of the supervisor; one that is already in the evidence changes nothing. */
    public static Step event(Attempt attempt, ProcessEvent event, ProcessIdentity identity, Instant now) {
        if (event.sequence() <= attempt.recordedEvents()) {
            return Step.keep(attempt);
        }
        Attempt.Change change =
                attempt.change().recordedEvents(event.sequence()).updatedAt(now);
        List<Evidence> rows = new ArrayList<>();
        boolean ends = event.exit() != null && attempt.executionState() != ExecutionState.EXITED;
        if (ends
                && AttemptLifecycle.decide(attempt.executionState(), Event.CHILD_EXITED)
                        instanceof Decision.Apply apply) {
            if (attempt.identity() == null && identity != null) {
                change.identity(identity);
                rows.addAll(startedEvidence(identity, null, now));
            }
            // Only a status that the wait told is the runner's; a gone process without one is proven absence.
            boolean told = !(event.exit() instanceof Exit.Unknown);
            change.executionState(apply.next()).exit(event.exit(), told ? ExitSource.RUNNER : ExitSource.RECONCILE);
        }
        rows.add(Evidence.of(event.at(), event.kind(), detail(event)));
        return new Step(change.apply(), true, List.copyOf(rows), null);
    }

    private static Map<String, Object> detail(ProcessEvent event) {
        Map<String, Object> detail = new LinkedHashMap<>();
        switch (event.exit()) {
            case null -> {}
            case Exit.Exited exited -> detail.put("code", (long) exited.code());
            case Exit.Signalled signalled -> detail.put("signal", (long) signalled.signal());
            case Exit.Unknown unknown -> detail.put("unknown", unknown.reason());
        }
        event.detail().forEach(detail::putIfAbsent);
        return detail;
    }

    /** The process is proven gone while nobody could tell its status. */
    public static Step absent(Attempt attempt, String proof, Instant now) {
        if (!(AttemptLifecycle.decide(attempt.executionState(), Event.ABSENCE_PROVEN)
                instanceof Decision.Apply apply)) {
            return Step.keep(attempt);
        }
        return Step.record(
                attempt.change()
                        .executionState(apply.next())
                        .exit(new Exit.Unknown(proof), ExitSource.RECONCILE)
                        .updatedAt(now)
                        .apply(),
                Evidence.of(now, EvidenceKind.RECONCILE_ABSENT, Map.of("proof", proof)));
    }

    /** An observation that changes no state. */
    public static Step observed(Attempt attempt, EvidenceKind kind, Map<String, Object> detail, Instant now) {
        return Step.record(attempt, Evidence.of(now, kind, detail));
    }

    /** Cleanup may run only from exited; anything else is refused before an effect. */
    public static Step mayCleanUp(Attempt attempt) {
        if (attempt.cleanupState() == CleanupState.COMPLETE || attempt.executionState() == ExecutionState.EXITED) {
            return Step.keep(attempt);
        }
        ProblemCode code =
                attempt.executionState() == ExecutionState.UNCERTAIN ? ProblemCode.UNCERTAIN : ProblemCode.CONFLICT;
        return Step.refuse(
                attempt,
                new BerthException(
                        code,
                        "the attempt is " + Wire.name(attempt.executionState())
                                + "; cleanup runs only after its exit is recorded"));
    }

    /** The required scope could not be proven gone. */
    public static Step cleanupRefused(Attempt attempt, String reason, List<Long> survivors, Instant now) {
        if (attempt.cleanupState() == CleanupState.COMPLETE) {
            return Step.keep(attempt);
        }
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("scope", Wire.name(attempt.requiredCleanup()));
        detail.put("reason", reason);
        if (!survivors.isEmpty()) {
            detail.put("survivors", survivors);
        }
        return Step.record(
                        attempt.change().updatedAt(now).apply(), Evidence.of(now, EvidenceKind.CLEANUP_REFUSED, detail))
                .thenRefuse(BerthException.conflict("the scope " + Wire.name(attempt.requiredCleanup())
                        + " is not proven gone (" + reason
                        + "); stop the attempt, forced if it must be, and clean up again"));
    }

    /**
     * The scope is gone, and something of the launch stays.
     *
     * @param phase {@code home} or {@code preparer}
     */
    public static Step cleanupFailed(Attempt attempt, String phase, Instant now) {
        if (!AttemptLifecycle.allows(attempt.cleanupState(), CleanupState.UNCERTAIN)
                && attempt.cleanupState() != CleanupState.UNCERTAIN) {
            return Step.keep(attempt);
        }
        return Step.record(
                        attempt.change()
                                .cleanupState(CleanupState.UNCERTAIN)
                                .updatedAt(now)
                                .apply(),
                        Evidence.of(now, EvidenceKind.CLEANUP_FAILED, Map.of("phase", phase)))
                .thenRefuse(
                        new BerthException(
                                ProblemCode.STORAGE,
                                phase.equals("home")
                                        ? "the attempt's home could not be removed; clean up again"
                                        : "a preparer could not take away what it made (its evidence says why); clean up again"));
    }

    /** The scope is proven gone and the home removed: the session is free again. */
    public static Step cleanedUp(Attempt attempt, String proof, Instant now) {
        if (!AttemptLifecycle.allows(attempt.cleanupState(), CleanupState.COMPLETE)) {
            return Step.keep(attempt);
        }
        return Step.record(
                attempt.change()
                        .cleanupState(CleanupState.COMPLETE)
                        .sessionHolder(null)
                        .updatedAt(now)
                        .apply(),
                Evidence.of(
                        now,
                        EvidenceKind.CLEANUP_COMPLETE,
                        Map.of("scope", Wire.name(attempt.requiredCleanup()), "proof", proof)));
    }

    /** The next attachment generation. */
    public static Step attach(Attempt attempt, Instant now) {
        return Step.record(attempt.change()
                .attachmentGeneration(attempt.attachmentGeneration() + 1)
                .updatedAt(now)
                .apply());
    }
}
