package org.berth.environment.policy;

import java.util.List;

/**
 * Endpoints, and the programs that may reach them.
 *
 * @param name the key in the file
 * @param binaries absolute guest paths; empty for every program
 */
public record NetworkPolicy(String name, List<NetworkEndpoint> endpoints, List<String> binaries) {
    public NetworkPolicy {
        endpoints = List.copyOf(endpoints);
        binaries = List.copyOf(binaries);
    }
}
