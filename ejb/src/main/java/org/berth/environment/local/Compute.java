package org.berth.environment.local;

import org.berth.placement.ProcessIdentity;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;

/** The supervised processes as the driver uses them. Each call blocks. */
interface Compute {
    /** The same order again answers the same process. */
    SpawnOutcome spawn(SpawnOrder order);

    /** The process that was spawned under {@code key}; null when the supervisor knows of none. */
    ProcessIdentity find(String key, String nonce);

    /** Ends the helper and, after {@code graceMillis}, the whole namespace. */
    void stop(String key, String nonce, int graceMillis, ProcessIdentity process);

    /** Drops what the supervisor keeps of an ended process. */
    void forget(String key, String nonce);
}
