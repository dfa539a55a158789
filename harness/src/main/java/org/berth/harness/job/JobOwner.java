package org.berth.harness.job;

/** What runs a job, the border to its processes or its kernel. */
@FunctionalInterface
public interface JobOwner {
    /**
     * Sends the kill and returns: to the process group of a command, also when it closed its outputs; an interrupt to a cell,
     * and the kill to its kernel after the grace. The end that follows is told to the job by its owner, once it is known.
     */
    void kill();
}
