package org.berth.process.supervisor.journal;

import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.StopMode;

/** One journalled fact. The order of the types and of their components is the file's format. */
public sealed interface Entry {
    String attemptKey();

    /** What a child of this attempt would be; it may exist from now on. */
    record Spawning(AttemptImage image) implements Entry {
        @Override
        public String attemptKey() {
            return image.attemptKey();
        }
    }

    /** No child came of it. */
    record NotSpawned(String attemptKey) implements Entry {}

    record Spawned(String attemptKey, ProcessIdentity identity, ExecutableMeasurement measured) implements Entry {}

    record Occurred(ProcessEvent event) implements Entry {
        @Override
        public String attemptKey() {
            return event.attemptKey();
        }
    }

    /** {@code deadlineMillis}: when KILL is due, by the clock of the day. */
    record StopOrdered(String attemptKey, StopMode mode, long deadlineMillis) implements Entry {}

    record StopDone(String attemptKey) implements Entry {}

    record Fenced(String attemptKey, long generation) implements Entry {}

    /** Both streams ended and nothing is left to deliver. */
    record OutputDone(String attemptKey) implements Entry {}

    /** Whether a child exists cannot be known. */
    record Undecided(String attemptKey) implements Entry {}

    /** The server has the events up to {@code sequence}. */
    record Recorded(String attemptKey, long sequence) implements Entry {}

    record Forgotten(String attemptKey) implements Entry {}

    /** The whole state of an attempt, written when the file is made shorter. */
    record Whole(AttemptImage image) implements Entry {
        @Override
        public String attemptKey() {
            return image.attemptKey();
        }
    }

    /** Components of a file's record; the sealed type carries which entry it is. */
    record Line(Entry entry) {}
}
