package org.berth.environment;

import java.util.List;
import java.util.Locale;

/**
 * What an effect came to, as it was observed.
 *
 * @param remaining what a deletion left; null when nothing was observed of it
 * @param stillRunning what runs in the environment after its native ended; null when that was not observed
 * @param detail a sentence on what is not confirmed; null when all is
 */
public record EffectOutcome(State state, DependentObservation remaining, List<String> stillRunning, String detail) {
    /** How much of the effect is observed. Wire names are the lower-case names. */
    public enum State {
        /** It is observed; the receipt stays. */
        CONFIRMED,
        /** It was asked for, or refused before it was sent, and is not observed yet. */
        PENDING,
        /** Nothing can be said of it now. */
        UNCONFIRMED;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public EffectOutcome {
        stillRunning = stillRunning == null ? null : List.copyOf(stillRunning);
    }

    public static EffectOutcome confirmed() {
        return new EffectOutcome(State.CONFIRMED, null, null, null);
    }

    public static EffectOutcome pending(String detail) {
        return new EffectOutcome(State.PENDING, null, null, detail);
    }

    public static EffectOutcome unconfirmed(String detail) {
        return new EffectOutcome(State.UNCONFIRMED, null, null, detail);
    }

    /** Confirmed, with what runs on; null when that is not observed. */
    public static EffectOutcome ended(List<String> stillRunning) {
        return new EffectOutcome(State.CONFIRMED, null, stillRunning, null);
    }

    public boolean isConfirmed() {
        return state == State.CONFIRMED;
    }
}
