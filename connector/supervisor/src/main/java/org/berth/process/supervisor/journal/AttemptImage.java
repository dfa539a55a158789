package org.berth.process.supervisor.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.berth.placement.Capability;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.Exit;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.StopMode;

/**
 * What the journal tells of one attempt.
 *
 * @param bootId the boot in which the spawn was ordered
 * @param identity null before the spawn is known
 * @param measured null likewise
 * @param exit null while no end is journalled
 * @param undecided whether a child exists cannot be known
 * @param outputDone nothing of the output is left to deliver
 * @param stop a stop under way; null for none
 * @param stopDeadlineMillis when its KILL is due, by the clock of the day
 * @param lastEvent the newest event's sequence
 * @param unrecorded events that the server has not acknowledged, oldest first
 */
public record AttemptImage(
        String attemptKey,
        String nonce,
        Capability scope,
        String bootId,
        long generation,
        ProcessIdentity identity,
        ExecutableMeasurement measured,
        Exit exit,
        boolean undecided,
        boolean outputDone,
        StopMode stop,
        long stopDeadlineMillis,
        long lastEvent,
        List<ProcessEvent> unrecorded) {

    /** An attempt whose child may exist from now on. */
    public static AttemptImage spawning(
            String attemptKey, String nonce, Capability scope, String bootId, long generation) {
        return new AttemptImage(
                attemptKey, nonce, scope, bootId, generation, null, null, null, false, false, null, 0, 0, List.of());
    }

    /** The child is known. */
    public AttemptImage spawned(ProcessIdentity child, ExecutableMeasurement measurement) {
        return changed(draft -> {
            draft.identity = child;
            draft.measured = measurement;
            draft.undecided = false;
        });
    }

    AttemptImage withEvent(ProcessEvent event) {
        List<ProcessEvent> events = new ArrayList<>(unrecorded);
        events.add(event);
        return changed(draft -> {
            draft.exit = event.exit() != null ? event.exit() : exit;
            draft.lastEvent = event.sequence();
            draft.unrecorded = List.copyOf(events);
        });
    }

    AttemptImage withRecorded(long sequence) {
        return changed(draft -> draft.unrecorded =
                unrecorded.stream().filter(event -> event.sequence() > sequence).toList());
    }

    AttemptImage withStop(StopMode mode, long deadlineMillis) {
        return changed(draft -> {
            draft.stop = mode;
            draft.stopDeadlineMillis = deadlineMillis;
        });
    }

    AttemptImage withGeneration(long value) {
        return changed(draft -> draft.generation = Math.max(value, generation));
    }

    AttemptImage withOutputDone() {
        return changed(draft -> draft.outputDone = true);
    }

    AttemptImage asUndecided() {
        return changed(draft -> draft.undecided = true);
    }

    private AttemptImage changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                draft.generation,
                draft.identity,
                draft.measured,
                draft.exit,
                draft.undecided,
                draft.outputDone,
                draft.stop,
                draft.stopDeadlineMillis,
                draft.lastEvent,
                draft.unrecorded);
    }

    /** The parts that change. */
    private static final class Draft {
        private long generation;
        private ProcessIdentity identity;
        private ExecutableMeasurement measured;
        private Exit exit;
        private boolean undecided;
        private boolean outputDone;
        private StopMode stop;
        private long stopDeadlineMillis;
        private long lastEvent;
        private List<ProcessEvent> unrecorded;

        private Draft(AttemptImage from) {
            generation = from.generation;
            identity = from.identity;
            measured = from.measured;
            exit = from.exit;
            undecided = from.undecided;
            outputDone = from.outputDone;
            stop = from.stop;
            stopDeadlineMillis = from.stopDeadlineMillis;
            lastEvent = from.lastEvent;
            unrecorded = from.unrecorded;
        }
    }
}
