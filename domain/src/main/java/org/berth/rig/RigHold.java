package org.berth.rig;

import java.util.Optional;

/** Implemented by each feature that may keep a node in use; every implementation is asked before a rig is deleted. */
public interface RigHold {
    /** Why {@code node} cannot go, as a sentence for the caller; empty when this feature does not hold it. */
    Optional<String> holds(RigNode node);
}
