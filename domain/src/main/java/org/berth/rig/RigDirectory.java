package org.berth.rig;

import java.util.Optional;

/** Nodes, seats and occupant generations as other features use them. */
public interface RigDirectory {
    Optional<RigNode> node(String nodeId);

    Optional<RigNode> seat(String seat);

    /** Reserves {@code generation}, or a new UUID for null; makes nothing stale. The same again is the same. */
    String reserve(String nodeId, String generation);

    /** Makes {@code generation} the node's current one; earlier ones become stale. Joins the caller's transaction. */
    void register(String nodeId, String generation);

    /** A generation that was never seen is PENDING. */
    GenerationState state(String nodeId, String generation);

    /** The node's current generation. */
    Optional<String> current(String nodeId);
}
