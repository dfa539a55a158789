package org.berth.environment.batch;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.berth.environment.Completions;

/** One check of the selected completions; the step's exit status says how many were open, tried and confirmed. */
@Named("completionReconcile")
@Dependent
public class CompletionReconcile extends AbstractBatchlet {
    @Inject
    private Completions completions;

    @Override
    public String process() {
        Completions.Outcome outcome = completions.reconcile();
        return "selected " + outcome.selected() + ", attempted " + outcome.attempted() + ", confirmed "
                + outcome.confirmed();
    }
}
