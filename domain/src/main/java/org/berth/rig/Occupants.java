package org.berth.rig;

import java.util.Optional;

/** What runs, or ran, as a generation of a node. */
public interface Occupants {
    Optional<Occupant> occupant(String nodeId, String generation);

    /**
     * Records what runs {@code generation}, once it is known; null leaves a value as it is. Joins the caller's
     * transaction. The generation was reserved or registered before.
     *
     * @param sessionId the session, or the attempt, that runs it
     * @param nativeType the native's type
     * @param nativeId the native's own id
     */
    void identify(String nodeId, String generation, String sessionId, String nativeType, String nativeId);
}
