package org.berth.process.supervisor.channel;

import org.berth.environment.ChannelOrder;

/**
 * What a channel's file holds.
 *
 * @param helper who was on the control line last; null when nobody was
 */
public record StoredChannel(ChannelOrder order, Helper helper) {
    /** The guest's helper, proof against reuse of its number. */
    public record Helper(long pid, long startTicks, String bootId) {}
}
