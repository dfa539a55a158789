package org.berth.placement;

/** The port through which a job sweeps the live attempts of this host. */
public interface Sweep {
    /** Reconciles those that were swept longest ago, at most the policy's bound. */
    Outcome sweep() throws InterruptedException;

    /**
     * What one sweep did.
     *
     * @param failed could not be observed in time; the next sweep takes them up again
     */
    record Outcome(int swept, int failed) {}
}
