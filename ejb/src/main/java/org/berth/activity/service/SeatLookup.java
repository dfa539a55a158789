package org.berth.activity.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;

/** Finds the node that a caller names. */
@ApplicationScoped
public class SeatLookup {
    @Inject
    private RigDirectory rigs;

    /** @throws BerthException SEAT_MISSING */
    public RigNode node(String nodeId) {
        return rigs.node(nodeId).orElseThrow(SeatLookup::missing);
    }

    /** @throws BerthException SEAT_MISSING */
    public RigNode seat(String seat) {
        return rigs.seat(seat).orElseThrow(SeatLookup::missing);
    }

    /** @throws BerthException INVALID when the node has none yet: then the caller must name the reserved one */
    public String currentGeneration(String nodeId) {
        return rigs.current(nodeId)
                .orElseThrow(() -> BerthException.invalid("generation must name the one that the launch reserved"));
    }

    private static BerthException missing() {
        return new BerthException(ProblemCode.SEAT_MISSING, "there is no such seat");
    }
}
