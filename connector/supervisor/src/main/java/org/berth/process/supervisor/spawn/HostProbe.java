package org.berth.process.supervisor.spawn;

import org.berth.placement.Capability;
import org.berth.placement.ExitObservation;
import org.berth.placement.HostMeasurement;

/** Measures once, by real children, what this host can clean. Used by the spawner's thread. */
public final class HostProbe {
    private final Containment containment;
    private HostMeasurement measured;

    public HostProbe(Containment containment) {
        this.containment = containment;
    }

    public HostMeasurement measure() {
        if (measured == null) {
            measured = new HostMeasurement(
                    Capability.PROCESS_GROUP, ExitObservation.INDEPENDENT, containment.program(), null, false, "");
        }
        return measured;
    }
}
