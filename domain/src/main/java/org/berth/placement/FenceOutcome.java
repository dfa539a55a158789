package org.berth.placement;

/**
 * The answer to a fence.
 *
 * @param accepted the supervisor enforces {@code generation} from now on
 * @param generation the generation in force
 * @param known the supervisor has a runner for the attempt
 * @param spool something is left to deliver (chunks, or a stream that has not ended)
 */
public record FenceOutcome(boolean accepted, long generation, boolean known, boolean spool) {}
