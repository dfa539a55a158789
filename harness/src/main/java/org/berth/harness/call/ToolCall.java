package org.berth.harness.call;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A running call. Its reports go to the board; it settles once.
 *
 * <pre>
 *   running --settle, not committed--> closed (takes no reports) --settle again--> settled
 *   running --settle, committed------> settled
 * </pre>
 *
 * <p>Any thread may call.
 */
public final class ToolCall {
    private final ProgressBoard.Entry entry;
    private final CallJournal journal;
    private final ProgressBoard board;
    private final ReentrantLock settling = new ReentrantLock();
    private boolean settled;

    ToolCall(ProgressBoard.Entry entry, CallJournal journal, ProgressBoard board) {
        this.entry = entry;
        this.journal = journal;
        this.board = board;
    }

    /** Reports output from {@code from} to {@code to} (exclusive); the array may be filled again. */
    public void output(byte[] bytes, int from, int to) {
        board.report(entry, new CallChange.Wrote(Arrays.copyOfRange(bytes, from, to)));
    }

    /** Reports a warning. */
    public void warn(String warning) {
        board.report(entry, new CallChange.Warned(warning));
    }

    /** Reports usage on top of what was reported before. */
    public void use(Usage usage) {
        board.report(entry, new CallChange.Used(usage));
    }

    /**
     * Ends the call with everything that it reported until the first attempt to end it.
     *
     * @return false when it was settled before, and nothing is recorded
     * @throws RuntimeException of the journal: the call is not settled, takes no more reports, and may be settled again,
     *     which an abort does with {@link CallOutcome.Aborted}
     */
    public boolean settle(CallOutcome outcome) {
        settling.lock();
        try {
            if (settled) {
                return false;
            }
            journal.settle(new CallSettle(outcome, board.close(entry)));
            settled = true;
            board.remove(entry);
            return true;
        } finally {
            settling.unlock();
        }
    }
}
