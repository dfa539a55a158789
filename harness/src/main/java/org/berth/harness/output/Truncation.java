package org.berth.harness.output;

import java.util.Objects;

/** The setting that bounds every output of a session. Source: harness.md, S2. */
public sealed interface Truncation {
    /** What a session has that names nothing. */
    Truncation DEFAULT = new On(OutputLimits.DEFAULT);

    /** Keeps at most the limits, and counts the rest as dropped. */
    record On(OutputLimits limits) implements Truncation {
        public On {
            Objects.requireNonNull(limits);
        }
    }

    /** Keeps every byte, in memory; the explicit choice of a caller who bounds the output otherwise. */
    record Off() implements Truncation {}
}
