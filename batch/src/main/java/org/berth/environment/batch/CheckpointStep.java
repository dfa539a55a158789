package org.berth.environment.batch;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.Locale;
import org.berth.environment.CheckpointCapture;
import org.berth.problem.BerthException;

/**
 * One step of the job {@code checkpoint-capture}. Its exit status says what was done; a refusal fails the step and stops
 * the job, which waits for a restart and whose exit status is the refusal's code, status and sentence.
 */
@Named("checkpointStep")
@Dependent
public class CheckpointStep extends AbstractBatchlet {
    /** Bound of an exit status in the job repository, less room: {@value} characters. */
    private static final int MOST_CHARACTERS = 400;

    @Inject
    private CheckpointCapture capture;

    @Inject
    private JobContext job;

    @Inject
    @BatchProperty
    private String step;

    @Inject
    @BatchProperty
    private String operationId;

    @Override
    public String process() {
        CheckpointCapture.Step named = CheckpointCapture.Step.valueOf(step.toUpperCase(Locale.ROOT));
        try {
            return capture.perform(named, operationId, job.getExecutionId());
        } catch (BerthException e) {
            job.setExitStatus(shortened(e.code().wire() + " " + e.status() + ": " + e.getMessage()));
            throw e;
        }
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
    }
}
