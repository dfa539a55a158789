package org.berth.environment.local;

/** Which process, proof against reuse of its number: the same start and the same boot. */
record ProcessMark(long pid, long startTicks, String bootId) {}
