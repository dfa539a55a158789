package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The child's whole environment: what the policy and the request say, the references that the host resolves, HOME and
 * PATH. No sentence of this class ever holds a value. Source: placement.md, Start step 7.
 */
@ApplicationScoped
public class LaunchEnvironment {
    @Inject
    private Host host;

    @Inject
    private SecretReader secrets;

    /** @throws BerthException DENIED when a reference is gone, CONFLICT when two sources name one variable */
    Map<String, String> of(PrepareRequest request, Path home) {
        HostPolicy policy = host.policy();
        if (InternalAdmission.POLICY.equals(request.policyRef())) {
            return InternalAdmission.environment(policy, System.getenv());
        }
        Map<String, String> variables = new LinkedHashMap<>();
        policy.policies().get(request.policyRef()).environment().forEach((name, value) -> put(variables, name, value));
        request.environment().forEach((name, value) -> put(variables, name, value));
        request.environmentRefs().forEach((name, reference) -> put(variables, name, secret(policy, name, reference)));
        put(variables, "HOME", home.toString());
        put(variables, "PATH", String.join(":", policy.path()));
        return variables;
    }

    private static void put(Map<String, String> variables, String name, String value) {
        if (variables.putIfAbsent(name, value) != null) {
            throw BerthException.conflict(
                    "the variable " + name + " has two sources; precedence is not used to hide it");
        }
    }

    private String secret(HostPolicy policy, String name, String reference) {
        return Optional.ofNullable(policy.references().get(reference))
                .flatMap(secrets::read)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.DENIED, "the host cannot supply environment_refs." + name + " now"));
    }
}
