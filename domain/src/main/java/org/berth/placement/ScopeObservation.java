package org.berth.placement;

import java.util.List;

/**
 * Whether every process of a scope is gone.
 *
 * @param gone proven by observation; false also means not provable
 * @param survivors process numbers seen alive, at most 64 of them
 * @param reason a fixed phrase of ours when not gone, else null
 */
public record ScopeObservation(boolean gone, List<Long> survivors, String reason) {}
