package org.berth.harness.service;

import java.util.concurrent.CompletionStage;
import org.berth.placement.InputOutcome;

/** The way to a kernel's process, the border to placement. No method waits. */
interface KernelPort {
    /**
     * Hands a piece on; the same {@code writeId} again is taken once. Fails when nobody answered.
     *
     * @param piece at most {@link KernelInput#PIECE_BYTES}
     */
    CompletionStage<InputOutcome> write(String writeId, byte[] piece);

    /** Closes the standard input after what is on its way. */
    void closeInput();

    /** Kills the process group. */
    void kill();
}
