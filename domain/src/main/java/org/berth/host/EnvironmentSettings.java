package org.berth.host;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.Wire;

/**
 * What the operator allows and selects for contained environments: the keys {@code environments}, {@code providers},
 * {@code local}, {@code openshell} and {@code podman} of host.yaml. Source: environments.md.
 *
 * @param roots absolute directories that may hold the host files which callers name
 * @param providers what a placement's {@code provider} injects, by name
 * @param local the embedded driver
 * @param openShell the driver of OpenShell gateways
 * @param podman the driver of Podman sockets
 */
public record EnvironmentSettings(
        List<String> roots, Map<String, Provider> providers, Local local, OpenShell openShell, Podman podman) {
    /** A first start's settings: no root but the state root's own, no provider, namespaces by what the host has. */
    public static final EnvironmentSettings DEFAULT = new EnvironmentSettings(
            List.of(), Map.of(), new Local(Engine.AUTO), new OpenShell("openshell"), new Podman(null));

    public EnvironmentSettings {
        roots = List.copyOf(roots);
        providers = Collections.unmodifiableMap(new LinkedHashMap<>(providers));
    }

    /**
     * What a provider gives to an environment; never stored in a binding.
     *
     * @param environment nonsecret values by variable
     * @param credentials names of {@link HostPolicy#credentials()} of kind environment
     * @param environmentRefs variables and the names of {@link HostPolicy#references()} that fill them
     */
    public record Provider(
            Map<String, String> environment, List<String> credentials, Map<String, String> environmentRefs) {
        public Provider {
            environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
            credentials = List.copyOf(credentials);
            environmentRefs = Collections.unmodifiableMap(new LinkedHashMap<>(environmentRefs));
        }
    }

    /** What makes the namespaces of driver {@code local}. */
    public enum Engine {
        AUTO,
        BUBBLEWRAP,
        UNSHARE
    }

    /** The embedded driver. */
    public record Local(Engine engine) {}

    /** @param executable the OpenShell program: a name on the host policy's path, or an absolute path */
    public record OpenShell(String executable) {}

    /** @param image the image of the containers that Berth adds to an environment, by digest; null for the placement's */
    public record Podman(String image) {}

    /** The settings as JSON trees by their key of host.yaml, without a secret. */
    Map<String, Object> publish() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("environments", Map.of("roots", roots));
        Map<String, Object> named = new LinkedHashMap<>();
        providers.forEach((name, provider) -> named.put(
                name,
                Map.of(
                        "environment", provider.environment(),
                        "credentials", provider.credentials(),
                        "environment_refs", provider.environmentRefs())));
        tree.put("providers", named);
        tree.put("local", Map.of("engine", Wire.name(local.engine())));
        tree.put("openshell", Map.of("executable", openShell.executable()));
        tree.put("podman", Collections.singletonMap("image", podman.image()));
        return tree;
    }
}
