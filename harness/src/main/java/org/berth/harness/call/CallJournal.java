package org.berth.harness.call;

/** The durable records of calls, the border to the session's store. Each method is one commit. */
public interface CallJournal {
    /**
     * Records that a call runs.
     *
     * @throws RuntimeException when it was not recorded: the call does not start
     */
    void start(CallStart start);

    /**
     * Records the end of a call, with its result entry.
     *
     * @throws RuntimeException when it was not recorded: the call stays on the board, and may be settled again
     */
    void settle(CallSettle settle);
}
