package org.berth.harness.output;

/** What of an output is held. Its owner gives it every byte in order, under a lock of the owner. */
sealed interface Retention permits HeadRetention, TailRetention, FullRetention {
    /** Takes the next bytes; returns how many bytes, these or earlier ones, it gave up. */
    long append(byte[] bytes, int from, int to);

    /** Whether {@link #append} would give up nothing. */
    boolean fits(byte[] bytes, int from, int to);

    /** A copy of what is held. */
    byte[] kept();

    static Retention of(Truncation truncation) {
        return switch (truncation) {
            case Truncation.Off off -> new FullRetention();
            case Truncation.On(OutputLimits limits) ->
                switch (limits.keep()) {
                    case HEAD -> new HeadRetention(limits);
                    case TAIL -> new TailRetention(limits);
                };
        };
    }

    /** Newlines from {@code from} to {@code to} (exclusive). */
    static int newlines(byte[] bytes, int from, int to) {
        int count = 0;
        for (int at = from; at < to; at++) {
            count += bytes[at] == '\n' ? 1 : 0;
        }
        return count;
    }
}
