package org.berth.environment;

/**
 * How a command ended.
 *
 * @param exitCode the exit code, 128 and the signal's number for a signal, -1 when it was killed at a bound
 * @param timedOut whether it was killed at its time
 * @param truncated whether it was killed for its output
 */
public record CommandOutcome(int exitCode, byte[] stdout, byte[] stderr, boolean timedOut, boolean truncated) {}
