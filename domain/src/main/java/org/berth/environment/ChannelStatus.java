package org.berth.environment;

/**
 * @param helperConnected whether the guest's helper is on the line
 * @param helperPid the helper's process number on the host, from the peer's credentials; 0 when not connected
 * @param helperStartTicks its start, in clock ticks since boot
 * @param refused egress refusals since the channel was opened or its supervisor was started again
 * @param viewerSocket absolute path of the host's socket where a viewer's program connects
 */
public record ChannelStatus(
        boolean helperConnected, long helperPid, long helperStartTicks, long refused, String viewerSocket) {}
