package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import org.berth.rig.RigHold;
import org.berth.rig.RigNode;

/** Keeps a rig whose node is bound to an environment. */
@ApplicationScoped
public class BoundNode implements RigHold {
    @Inject
    private EnvironmentReader reader;

    @Override
    public Optional<String> holds(RigNode node) {
        return reader.forNode(node.nodeId(), node.seat())
                .map(record -> "is bound to the environment " + record.bindingId());
    }
}
