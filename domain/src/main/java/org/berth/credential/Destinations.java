package org.berth.credential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.placement.PrepareRequest;

/**
 * Every destination that the parts of one launch would fill; names only.
 *
 * @param policy variables of the policy's environment
 * @param environment variables of the request's environment
 * @param references variables of the request's environment_refs
 * @param projections requested projections of kind environment, but the gateway's own, and their variables
 * @param home variables that name the private home, HOME among them
 * @param gateway the gateway's listeners (tools, hooks) and the variables of their tokens
 * @param logins requested projections of kind file, which all go to the driver's one login file
 */
public record Destinations(
        Set<String> policy,
        Set<String> environment,
        Set<String> references,
        Map<String, String> projections,
        Set<String> home,
        Map<String, String> gateway,
        List<String> logins) {
    static final String HOME = "HOME";

    public Destinations {
        policy = Collections.unmodifiableSet(new LinkedHashSet<>(policy));
        environment = Collections.unmodifiableSet(new LinkedHashSet<>(environment));
        references = Collections.unmodifiableSet(new LinkedHashSet<>(references));
        projections = Collections.unmodifiableMap(new LinkedHashMap<>(projections));
        home = Collections.unmodifiableSet(new LinkedHashSet<>(home));
        gateway = Collections.unmodifiableMap(new LinkedHashMap<>(gateway));
        logins = List.copyOf(logins);
    }

    /**
     * Those of {@code request}.
     *
     * @param driver null for driver {@code command}
     */
    public static Destinations of(
            HostPolicy host, HostPolicy.Policy policy, PrepareRequest request, DriverDefinition driver) {
        Map<String, String> projections = new LinkedHashMap<>();
        List<String> logins = new ArrayList<>();
        List<String> tokens = tokens(policy);
        for (String id : request.projections()) {
            HostPolicy.Credential credential = host.credentials().get(id);
            if (credential != null && credential.kind() == HostPolicy.CredentialKind.FILE) {
                logins.add(id);
            } else if (credential != null && !tokens.contains(id)) {
                projections.put(id, credential.destination());
            }
        }
        Set<String> home = new LinkedHashSet<>(Set.of(HOME));
        if (driver != null) {
            home.addAll(driver.homeVariables().keySet());
        }
        return new Destinations(
                policy.environment().keySet(),
                request.environment().keySet(),
                request.environmentRefs().keySet(),
                projections,
                home,
                gateway(host, policy.agent()),
                logins);
    }

    private static List<String> tokens(HostPolicy.Policy policy) {
        List<String> tokens = new ArrayList<>();
        tokens.add(policy.agent().toolsCredential());
        tokens.add(policy.agent().hooksCredential());
        tokens.removeIf(java.util.Objects::isNull);
        return tokens;
    }

    private static Map<String, String> gateway(HostPolicy host, HostPolicy.Agent agent) {
        Map<String, String> gateway = new LinkedHashMap<>();
        put(gateway, "tools", host.credentials().get(agent.toolsCredential()));
        put(gateway, "hooks", host.credentials().get(agent.hooksCredential()));
        return gateway;
    }

    private static void put(Map<String, String> gateway, String listener, HostPolicy.Credential token) {
        if (token != null && token.destination() != null) {
            gateway.put(listener, token.destination());
        }
    }
}
