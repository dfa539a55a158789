package org.berth.environment;

import java.util.List;

/**
 * What the supervisor keeps open for one contained environment, over its own restart too, until it is closed. It listens
 * in {@code directory}, which is bound read-only into the guest: {@code control.sock} where the guest's helper dials in,
 * {@code relay-PORT.sock} for each relay, {@code proxy.sock} for the forward proxy (HTTP CONNECT and absolute-form), and
 * appends each refusal to {@code refusalLog}.
 *
 * @param channelId 32 lower-case hex digits
 * @param directory absolute, private, exists
 * @param relays ports of the host's loopback that the guest may reach
 * @param allowed what the proxy lets through
 * @param refusalLog absolute path of a file outside the directory; JSON lines, at most 1 MiB kept
 */
public record ChannelOrder(
        String channelId, String directory, List<Integer> relays, List<Endpoint> allowed, String refusalLog) {
    public ChannelOrder {
        relays = List.copyOf(relays);
        allowed = List.copyOf(allowed);
    }

    /** One host and port; a host that is listed literally may be loopback, private or link-local. */
    public record Endpoint(String host, int port) {}
}
