package org.berth.process.supervisor.spawn;

import org.berth.placement.SpawnOutcome;

/** No child exists, and why. */
final class RefusedException extends Exception {
    private final transient SpawnOutcome.Refused refusal;

    RefusedException(SpawnOutcome.Reason reason, String sentence) {
        super(sentence, null, false, false);
        refusal = new SpawnOutcome.Refused(reason, sentence);
    }

    SpawnOutcome.Refused refusal() {
        return refusal;
    }
}
