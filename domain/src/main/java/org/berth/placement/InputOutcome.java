package org.berth.placement;

/**
 * The answer to an input write, a stdin close or a resize.
 *
 * @param accepted written (or remembered from before, with the same write id)
 * @param generation the generation in force
 * @param reason a fixed word when not accepted: {@code fenced, closed, exited, unknown_attempt, too_large,
 *     remembered_full}; else null
 */
public record InputOutcome(boolean accepted, long generation, String reason) {}
