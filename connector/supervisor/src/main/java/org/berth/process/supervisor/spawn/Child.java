package org.berth.process.supervisor.spawn;

import java.util.Map;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.ProcessIdentity;
import org.berth.process.supervisor.os.Descriptors;

/**
 * A started child and our ends of its descriptors, each -1 when there is none.
 *
 * @param pidFd the child's own
 * @param innerPidFd the command's inside a namespace
 * @param initPidFd the namespace's init's
 * @param terminal the master of its terminal, also its stdin
 * @param notes what the evidence should say about the start beside the identity
 */
public record Child(
        ProcessIdentity identity,
        ExecutableMeasurement measured,
        int pidFd,
        int innerPidFd,
        int initPidFd,
        int stdin,
        int stdout,
        int stderr,
        int terminal,
        Map<String, String> notes) {
    /** A child of an earlier supervisor: nothing of it is left but its process. */
    public static Child adopted(ProcessIdentity identity, int pidFd, int innerPidFd, int initPidFd) {
        return new Child(identity, null, pidFd, innerPidFd, initPidFd, -1, -1, -1, -1, Map.of());
    }

    public boolean contained() {
        return identity.tree() != null;
    }

    public void closePidFds() {
        Descriptors.close(pidFd);
        Descriptors.close(innerPidFd);
        Descriptors.close(initPidFd);
    }
}
