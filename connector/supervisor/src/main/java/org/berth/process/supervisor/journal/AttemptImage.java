package org.berth.process.supervisor.journal;

import java.util.ArrayList;
import java.util.List;
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
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                generation,
                child,
                measurement,
                exit,
                false,
                outputDone,
                stop,
                stopDeadlineMillis,
                lastEvent,
                unrecorded);
    }

    AttemptImage withEvent(ProcessEvent event) {
        List<ProcessEvent> events = new ArrayList<>(unrecorded);
        events.add(event);
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                generation,
                identity,
                measured,
                event.exit() != null ? event.exit() : exit,
                undecided,
                outputDone,
                stop,
                stopDeadlineMillis,
                event.sequence(),
                List.copyOf(events));
    }

    AttemptImage withRecorded(long sequence) {
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                generation,
                identity,
                measured,
                exit,
                undecided,
                outputDone,
                stop,
                stopDeadlineMillis,
                lastEvent,
                unrecorded.stream().filter(event -> event.sequence() > sequence).toList());
    }

    AttemptImage withStop(StopMode mode, long deadlineMillis) {
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                generation,
                identity,
                measured,
                exit,
                undecided,
                outputDone,
                mode,
                deadlineMillis,
                lastEvent,
                unrecorded);
    }

    AttemptImage withGeneration(long value) {
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                Math.max(value, generation),
                identity,
                measured,
                exit,
                undecided,
                outputDone,
                stop,
                stopDeadlineMillis,
                lastEvent,
                unrecorded);
    }

    AttemptImage withOutputDone() {
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                generation,
                identity,
                measured,
                exit,
                undecided,
                true,
                stop,
                stopDeadlineMillis,
                lastEvent,
                unrecorded);
    }

    AttemptImage asUndecided() {
        return new AttemptImage(
                attemptKey,
                nonce,
                scope,
                bootId,
                generation,
                identity,
                measured,
                exit,
                true,
                outputDone,
                stop,
                stopDeadlineMillis,
                lastEvent,
                unrecorded);
    }
}
