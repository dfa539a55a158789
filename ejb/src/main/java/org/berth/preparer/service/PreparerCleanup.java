package org.berth.preparer.service;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.fault.FaultPoint;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.service.RetriedTransaction;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerState;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;

/** One pass over an attempt's plans, the last first. A plan's own preparer does it, whatever the policy names by then. */
record PreparerCleanup(Iterable<WorkdirPreparer> known, LaunchGrants grants, PreparerLedger ledger, Clock clock) {
    private static final Logger LOG = Logger.getLogger(PreparerCleanup.class.getName());

    /** What one cleanup came to. */
    private record Ended(PreparerPhase phase, String reason, Map<String, Object> detail) {
        Ended {
            reason = PreparerState.recordable(reason);
            detail = Map.copyOf(detail);
        }

        static Ended failed(String reason) {
            return new Ended(PreparerPhase.FAILED, reason, Map.of());
        }
    }

    CleanupOutcome of(Attempt attempt) {
        List<Evidence> recorded = new ArrayList<>();
        boolean settled = true;
        for (PreparerState state : ledger.find(attempt.attemptId()).reversed()) {
            if (!state.phase().isSettled()) {
                Ended ended = end(attempt, state);
                FaultPoint.PREPARER_CLEANED.hit();
                settled &= record(state, ended, recorded) && ended.phase().isSettled();
            }
        }
        return new CleanupOutcome(recorded, settled);
    }

    private Ended end(Attempt attempt, PreparerState state) {
        String name = state.plan().preparer();
        try {
            WorkdirPreparer preparer = preparer(name);
            if (preparer == null) {
                return Ended.failed("this server has no preparer of that name any more");
            }
            if (!preparer.binding().equals(state.plan().binding())) {
                return Ended.failed("the preparer changed since its plan: " + preparer.binding());
            }
            WorkdirPreparer.Cleanup done =
                    preparer.cleanup(context(attempt), state.plan().state());
            return new Ended(
                    done.retained() == null ? PreparerPhase.CLEANED : PreparerPhase.RETAINED,
                    done.retained(),
                    done.detail());
        } catch (BerthException e) {
            return Ended.failed(e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the cleanup of the preparer " + name + " failed", e);
            return Ended.failed("the preparer failed");
        }
    }

    /** A failure that is recorded already leaves no second row. @return whether the phase is recorded */
    private boolean record(PreparerState state, Ended ended, List<Evidence> recorded) {
        boolean again = state.phase() == ended.phase() && ended.reason().equals(state.reason());
        List<Evidence> rows = again
                ? List.of()
                : List.of(PreparerEvidence.ended(
                        state.plan(), ended.phase(), ended.reason(), ended.detail(), clock.instant()));
        try {
            boolean marked = RetriedTransaction.of(
                    () -> ledger.mark(state, ended.phase(), ended.reason(), rows, clock.instant()),
                    "the attempt is being changed by others");
            recorded.addAll(marked ? rows : List.of());
            return true;
        } catch (BerthException e) {
            LOG.log(Level.WARNING, "a cleanup of preparer " + state.plan().preparer() + " was not recorded", e);
            return false;
        }
    }

    private WorkdirPreparer preparer(String name) {
        for (WorkdirPreparer each : known) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    private WorkdirPreparer.Context context(Attempt attempt) {
        List<Path> writeRoots = grants.writeRoots(attempt);
        return new WorkdirPreparer.Context(
                attempt.attemptId(),
                attempt.attemptKey(),
                attempt.ownerId(),
                null,
                attempt.resources(),
                writeRoots,
                Map.of(),
                grants.hold(attempt));
    }
}
