package org.berth.environment.policy;

import java.util.List;

/**
 * One place of the network that a policy lets an environment reach.
 *
 * @param host a name or an address
 * @param ports 1 to 65535 each, at least one
 * @param path what requests must match; null for any
 * @param protocol what is spoken there; null for any
 * @param access what requests may do; null for everything
 */
public record NetworkEndpoint(
        String host, List<Integer> ports, String path, String protocol, Enforcement enforcement, Access access) {
    /** The host's name as the guest calls it: {@value}. Source: the reference's policy file. */
    public static final String GUEST_NAME_OF_HOST = "host.openshell.internal";

    public NetworkEndpoint {
        ports = List.copyOf(ports);
    }

    /** Whether requests that break the rules of path, protocol and access are stopped or only logged. */
    public enum Enforcement {
        ENFORCE,
        AUDIT
    }

    /** What requests may do. */
    public enum Access {
        READ_ONLY,
        READ_WRITE,
        FULL
    }

    /** Whether this is the host itself. */
    public boolean isHost() {
        return host.equals(GUEST_NAME_OF_HOST);
    }
}
