package org.berth.rig.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.berth.event.Announcement;
import org.berth.event.Announcements;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.GenerationState;
import org.berth.rig.Member;
import org.berth.rig.Occupant;
import org.berth.rig.Occupants;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;
import org.berth.rig.store.OccupantRepository;
import org.berth.rig.store.RigRepository;

/**
 * Nodes, seats and generations for other features. Writing joins the caller's transaction, or has one of its own where
 * there is none; a refusal leaves the caller's transaction usable.
 */
@ApplicationScoped
public class RigDirectoryService implements RigDirectory, Occupants {
    @Inject
    private RigRepository rigs;

    @Inject
    private OccupantRepository occupants;

    @Inject
    private Announcements announcements;

    @Inject
    private Clock clock;

    @Override
    public Optional<RigNode> node(String nodeId) {
        return rigs.node(nodeId).map(Member::node);
    }

    @Override
    public Optional<RigNode> seat(String seat) {
        return rigs.seat(seat).map(Member::node);
    }

    @Override
    @Transactional(dontRollbackOn = BerthException.class)
    public String reserve(String nodeId, String generation) {
        RigNode node = locked(nodeId);
        String reserved = generation == null ? UUID.randomUUID().toString() : generation;
        if (occupants.reserve(nodeId, reserved, clock.instant())) {
            announce("generation.reserved", node, reserved);
        }
        return reserved;
    }

    @Override
    @Transactional(dontRollbackOn = BerthException.class)
    public void register(String nodeId, String generation) {
        RigNode node = locked(nodeId);
        occupants.reserve(nodeId, generation, clock.instant());
        if (occupants.register(nodeId, generation, clock.instant())) {
            announce("generation.registered", node, generation);
        } else if (state(nodeId, generation) == GenerationState.STALE) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_GENERATION_CHANGED, "A later occupant has this seat; the launch is stale.");
        }
    }

    @Override
    public GenerationState state(String nodeId, String generation) {
        return occupants.find(nodeId, generation).map(Occupant::state).orElse(GenerationState.PENDING);
    }

    @Override
    public Optional<String> current(String nodeId) {
        return occupants.current(nodeId).map(Occupant::generation);
    }

    @Override
    public Optional<Occupant> occupant(String nodeId, String generation) {
        return occupants.find(nodeId, generation);
    }

    @Override
    @Transactional(dontRollbackOn = BerthException.class)
    public void identify(String nodeId, String generation, String sessionId, String nativeType, String nativeId) {
        RigNode node = locked(nodeId);
        if (occupants.find(nodeId, generation).isEmpty()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_GENERATION_MISSING, "This generation of the seat was never reserved.");
        }
        occupants.identify(nodeId, generation, sessionId, nativeType, nativeId);
        announce("generation.identified", node, generation);
    }

    private RigNode locked(String nodeId) {
        if (!rigs.lockNode(nodeId)) {
            throw new BerthException(ProblemCode.SEAT_MISSING, "There is no such node.");
        }
        return node(nodeId).orElseThrow();
    }

    private void announce(String type, RigNode node, String generation) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("nodeId", node.nodeId());
        data.put("seat", node.seat());
        data.put("generation", generation);
        announcements.announce(new Announcement(type, List.of(node.rigName()), data));
    }
}
