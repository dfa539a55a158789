package org.berth.environment;

import java.util.Locale;
import org.berth.problem.BerthException;

/** The steps of one checkpoint, for the job that runs them. Each may be done again and ends the same way. */
public interface CheckpointCapture {
    /** In this order. Wire names are the lower-case names. */
    enum Step {
        /** Proves the native and freezes what is captured. */
        SELECT,
        /** Brings the frozen prefix of the history home. */
        TRANSFER,
        /** Reads everything that is kept again. */
        VERIFY,
        /** Writes the receipt. */
        RECORD;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Does {@code step} and keeps a refusal, with its status and sentence, on the operation.
     *
     * @param executionId the batch execution that runs it
     * @return what was done, a few words
     * @throws BerthException the refusal
     */
    String perform(Step step, String operationId, long executionId);
}
