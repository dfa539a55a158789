package org.berth.environment;

import java.util.Optional;
import org.berth.problem.BerthException;

/** The retained checkpoints, for recreation, restore and snapshots. */
public interface EnvironmentCheckpoints {
    /** The recorded checkpoint; empty when there is none, when it is not recorded yet or was removed. */
    Optional<EnvironmentCheckpoint> find(String checkpointId);

    /** The newest recorded checkpoint of {@code bindingId}. */
    Optional<EnvironmentCheckpoint> newest(String bindingId);

    /**
     * That every retained byte is there and unchanged, and that the history is complete and this conversation's. The
     * context is not read: it was proven when it was captured, and a restore compares it with today's sources itself.
     *
     * @throws BerthException environment_checkpoint_invalid, environment_checkpoint_changed,
     *     environment_checkpoint_identity_mismatch
     */
    void verify(EnvironmentCheckpoint checkpoint);

    /** The history's bytes, as verified. @throws BerthException as {@link #verify} */
    byte[] history(EnvironmentCheckpoint checkpoint);
}
