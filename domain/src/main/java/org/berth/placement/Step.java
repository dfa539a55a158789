package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import org.berth.problem.BerthException;

/**
 * What a rule makes of a locked attempt: the changed snapshot and its evidence, which one transaction records; or
 * nothing to record; and perhaps a refusal, which is thrown only after the evidence is committed.
 *
 * @param attempt the snapshot to record, or the recorded one when {@code changed} is false
 * @param changed whether there is something to record
 * @param evidence the new rows
 * @param refusal what the caller is told; null when the step succeeded
 */
public record Step(Attempt attempt, boolean changed, List<Evidence> evidence, BerthException refusal) {
    /** Records {@code attempt} with {@code evidence}. */
    public static Step record(Attempt attempt, Evidence... evidence) {
        return new Step(attempt, true, List.of(evidence), null);
    }

    /** Leaves everything as it is. */
    public static Step keep(Attempt attempt) {
        return new Step(attempt, false, List.of(), null);
    }

    /** Leaves everything as it is and tells the caller why. */
    public static Step refuse(Attempt attempt, BerthException refusal) {
        return new Step(attempt, false, List.of(), refusal);
    }

    /** The same step with rows before its own; one that records nothing records none of them either. */
    public Step behind(List<Evidence> earlier) {
        if (!changed || earlier.isEmpty()) {
            return this;
        }
        List<Evidence> all = new ArrayList<>(earlier);
        all.addAll(evidence);
        return new Step(attempt, true, List.copyOf(all), refusal);
    }

    /** The same step, with a refusal that is thrown once it is recorded. */
    public Step thenRefuse(BerthException why) {
        return new Step(attempt, changed, evidence, why);
    }
}
