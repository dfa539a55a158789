package org.berth.credential;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.Credential;
import org.berth.host.HostPolicy.CredentialKind;
import org.berth.host.SecretSource;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;

/** Hosts and requests for tests. */
final class Launches {
    static final DriverDefinition DRIVER =
            driver(new DriverDefinition.LoginFile(".agent/auth.json", List.of("~/.agent/auth.json")));

    private Launches() {}

    static DriverDefinition driver(DriverDefinition.LoginFile login) {
        return new DriverDefinition(
                "agent", "1", "agent", Map.of(), Map.of("AGENT_HOME", ".agent"), login, List.of(), List.of(), Set.of());
    }

    static Credential variable(String name) {
        return new Credential(
                CredentialKind.ENVIRONMENT, name, null, new SecretSource.FromEnvironment("SOURCE"), false);
    }

    static Credential login() {
        return new Credential(
                CredentialKind.FILE, null, "agent", new SecretSource.FromFile("~/.agent/auth.json"), false);
    }

    static HostPolicy host(HostPolicy.Policy policy, Map<String, Credential> credentials) {
        HostPolicy base = HostPolicy.DEFAULT;
        return new HostPolicy(
                base.placement(),
                base.resourceMode(),
                base.admittedRoots(),
                base.path(),
                base.workdirPreparers(),
                base.sweep(),
                Map.of("p", policy),
                credentials,
                base.references(),
                base.output(),
                base.logRetention(),
                base.evidenceRetention(),
                base.providerLoginWriteback(),
                base.environments(),
                base.retention(),
                base.kernelTransports());
    }

    static HostPolicy.Policy policy(Map<String, String> environment, String... credentials) {
        return new HostPolicy.Policy("agent", "batch", null, environment, List.of(credentials), false);
    }

    static HostPolicy.Policy gateway(String tools, String hooks, String... credentials) {
        return new HostPolicy.Policy(
                "agent",
                "batch",
                null,
                Map.of(),
                List.of(credentials),
                false,
                new HostPolicy.Agent(null, null, null, false, null, tools, hooks));
    }

    static PrepareRequest request(Map<String, Object> changes) {
        return request(changes, Map.of());
    }

    static PrepareRequest request(Map<String, Object> changes, Map<String, Object> launch) {
        Map<String, Object> started = new HashMap<>(Map.of("executable", "agent"));
        started.putAll(launch);
        Map<String, Object> tree = new LinkedHashMap<>();
        for (String name :
                List.of("idempotency_key", "owner_id", "action_id", "attempt_id", "binding_ref", "profile_id")) {
            tree.put(name, "x");
        }
        tree.put("policy_ref", "p");
        tree.put("owner_incarnation", 1L);
        tree.put("binding_digest", "0".repeat(64));
        tree.put("profile_digest", "0".repeat(64));
        tree.put("launch", started);
        tree.putAll(changes);
        return PrepareRequestDecoder.decode(tree);
    }
}
