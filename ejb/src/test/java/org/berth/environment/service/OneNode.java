package org.berth.environment.service;

import java.util.Optional;
import org.berth.rig.GenerationState;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;

/** A rig of one worker. */
final class OneNode implements RigDirectory {
    static final RigNode WORKER = new RigNode(
            "node-1",
            "rig-1",
            "environment-fixture",
            "worker",
            "worker@environment-fixture",
            "openshell-claude",
            "/srv/work");

    @Override
    public Optional<RigNode> node(String nodeId) {
        return Optional.of(WORKER).filter(node -> node.nodeId().equals(nodeId));
    }

    @Override
    public Optional<RigNode> seat(String seat) {
        return Optional.of(WORKER).filter(node -> node.seat().equals(seat));
    }

    @Override
    public String reserve(String nodeId, String generation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void register(String nodeId, String generation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public GenerationState state(String nodeId, String generation) {
        return GenerationState.PENDING;
    }

    @Override
    public Optional<String> current(String nodeId) {
        return Optional.empty();
    }
}
