package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import org.berth.rig.RigHold;
import org.berth.rig.RigNode;

/** Keeps a rig whose member runs as a command. */
@ApplicationScoped
public class RunningMember implements RigHold {
    @Inject
    private MemberLedger members;

    @Override
    public Optional<String> holds(RigNode node) {
        return members.running(node.nodeId()).map(attempt -> "runs as the attempt " + attempt.attemptId());
    }
}
