package org.berth.environment.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.environment.ChannelOrder;

/**
 * A policy file of version 1. Source: facts on OpenShell, policy.yaml.
 *
 * @param filesystem null when the file says nothing of it
 * @param landlockCompatibility null when the file says nothing of it
 * @param runAsUser null when the file says nothing of it; {@code runAsGroup} likewise
 */
public record EnvironmentPolicy(
        FilesystemPolicy filesystem,
        String landlockCompatibility,
        String runAsUser,
        String runAsGroup,
        List<NetworkPolicy> network) {
    public EnvironmentPolicy {
        network = List.copyOf(network);
    }

    /** Ports of the host's loopback that the guest may reach, ascending. */
    public List<Integer> relays() {
        return List.copyOf(endpoints()
                .filter(NetworkEndpoint::isHost)
                .map(NetworkEndpoint::ports)
                .flatMap(Collection::stream)
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** The host and port pairs that a forward proxy lets through, each once, in the file's order. */
    public List<ChannelOrder.Endpoint> proxied() {
        return endpoints()
                .filter(endpoint -> !endpoint.isHost())
                .flatMap(endpoint ->
                        endpoint.ports().stream().map(port -> new ChannelOrder.Endpoint(endpoint.host(), port)))
                .distinct()
                .toList();
    }

    /**
     * What is not enforced by a driver whose relays and proxy know hosts and ports only and whose file system is a mount
     * namespace; a sentence each.
     *
     * @param users the names of the one user and group of the guest
     */
    public List<String> beyondHostAndPort(Set<String> users) {
        List<String> sentences = new ArrayList<>();
        for (NetworkPolicy each : network) {
            String of = "Network policy " + each.name() + ": ";
            if (!each.binaries().isEmpty()) {
                sentences.add(of + "every program of the environment reaches its endpoints, not only "
                        + String.join(", ", each.binaries()) + ".");
            }
            each.endpoints().forEach(endpoint -> beyond(endpoint, of, sentences));
        }
        if (landlockCompatibility != null) {
            sentences.add("Landlock is not used; a mount namespace bounds the file system instead.");
        }
        Stream.of(runAsUser, runAsGroup)
                .filter(name -> name != null && !users.contains(name))
                .map(name ->
                        "The process runs as " + String.join(" or ", new TreeSet<>(users)) + ", not as " + name + ".")
                .forEach(sentences::add);
        return sentences;
    }

    private static void beyond(NetworkEndpoint endpoint, String of, List<String> sentences) {
        String place = endpoint.host() + ":"
                + endpoint.ports().stream().map(String::valueOf).collect(Collectors.joining(","));
        if (endpoint.access() == NetworkEndpoint.Access.READ_ONLY) {
            sentences.add(of + "requests to " + place + " may write, its read-only access is not enforced.");
        }
        if (endpoint.path() != null) {
            sentences.add(of + "requests to " + place + " are not held to the path " + endpoint.path() + ".");
        }
        if (endpoint.protocol() != null && !endpoint.protocol().equals("tcp")) {
            sentences.add(of + "what is sent to " + place + " is not inspected as " + endpoint.protocol() + ".");
        }
    }

    private Stream<NetworkEndpoint> endpoints() {
        return network.stream().map(NetworkPolicy::endpoints).flatMap(List::stream);
    }
}
