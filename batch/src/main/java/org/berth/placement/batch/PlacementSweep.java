package org.berth.placement.batch;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.berth.placement.Sweep;

/** One sweep over the live attempts; the step's exit status says how many, and how many could not be observed. */
@Named("placementSweep")
@Dependent
public class PlacementSweep extends AbstractBatchlet {
    @Inject
    private Sweep sweep;

    @Override
    public String process() throws InterruptedException {
        Sweep.Outcome outcome = sweep.sweep();
        return "swept " + outcome.swept() + ", failed " + outcome.failed();
    }
}
