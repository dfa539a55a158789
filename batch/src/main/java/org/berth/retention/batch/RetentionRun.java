package org.berth.retention.batch;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.berth.retention.Retention;

/** One look at what the host's retention is over for; the step's exit status says how much is gone. */
@Named("retentionRun")
@Dependent
public class RetentionRun extends AbstractBatchlet {
    @Inject
    private Retention retention;

    @Override
    public String process() throws InterruptedException {
        Retention.Outcome outcome = retention.removeExpired();
        return "attempts " + outcome.attempts() + ", operations " + outcome.operations() + ", events "
                + outcome.events();
    }
}
