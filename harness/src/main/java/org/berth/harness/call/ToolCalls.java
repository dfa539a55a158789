package org.berth.harness.call;

import java.util.Objects;
import org.berth.harness.output.Truncation;

/** Starts the calls of one session. */
public final class ToolCalls {
    private final CallJournal journal;
    private final ProgressBoard board;

    public ToolCalls(CallJournal journal, ProgressBoard board) {
        this.journal = Objects.requireNonNull(journal);
        this.board = Objects.requireNonNull(board);
    }

    /**
     * Records the start, then shows the call on the board.
     *
     * @param truncation bounds the call's output
     * @throws IllegalArgumentException when a call with this id is running; nothing is recorded
     * @throws RuntimeException of the journal: there is no call
     */
    public ToolCall start(CallStart start, Truncation truncation) {
        ProgressBoard.Entry entry = board.reserve(start, truncation);
        try {
            journal.start(start);
        } catch (RuntimeException e) {
            board.discard(entry);
            throw e;
        }
        board.show(entry);
        return new ToolCall(entry, journal, board);
    }
}
