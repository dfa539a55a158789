package org.berth.rig;

import java.util.Optional;

/** Implemented by each feature that may keep a node in use; every implementation is asked before a rig is deleted. */
public interface RigHold {
    /** What keeps {@code node}, as words that follow its seat, such as "has a running session"; empty for nothing. */
    Optional<String> holds(RigNode node);
}
