package org.berth.placement;

/**
 * Which process this is, proof against reuse of its number: alive means the same pid, start ticks and boot id.
 *
 * @param pid the child's process number
 * @param group its process group
 * @param startTicks field 22 of /proc/PID/stat
 * @param bootId the kernel's random boot id
 * @param tree the namespace it runs in; null when it is not contained
 */
public record ProcessIdentity(long pid, long group, long startTicks, String bootId, Tree tree) {
    /** The namespace's init and the command inside it, as seen from the host. */
    public record Tree(long initPid, long initStartTicks, long innerPid, long innerStartTicks) {}
}
