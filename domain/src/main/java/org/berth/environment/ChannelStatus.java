package org.berth.environment;

/**
 * @param helperConnected whether the guest's helper is on the line
 * @param helperPid the helper's process number on the host, from the peer's credentials; 0 when not connected
 * @param helperStartTicks its start, in clock ticks since boot
 * @param refused egress refusals since the channel was opened
 */
public record ChannelStatus(boolean helperConnected, long helperPid, long helperStartTicks, long refused) {}
