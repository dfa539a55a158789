package org.berth.environment;

/** Which parts of an environment are still there. */
public record DependentObservation(boolean workload, boolean supervisor, boolean volumes) {
    public boolean absent() {
        return !workload && !supervisor && !volumes;
    }
}
