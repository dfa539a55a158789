package org.berth.harness.call;

import java.util.Objects;

/** The second and last record of a call: how it ended, with everything that it reported. */
public record CallSettle(CallOutcome outcome, CallProgress progress) {
    public CallSettle {
        Objects.requireNonNull(outcome);
        Objects.requireNonNull(progress);
    }
}
