package org.berth.environment;

import java.util.List;

/**
 * Somebody who may still need a checkpoint; every one is asked before a checkpoint is removed, in a transaction that holds
 * the binding, so that it reads the database only.
 */
public interface CheckpointUses {
    /** What needs {@code checkpointId} now, a few words each, such as {@code snapshot 12}; empty when nothing does. */
    List<String> uses(String checkpointId);
}
