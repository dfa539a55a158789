package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.credential.service.CredentialBroker;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The child's whole environment: what the policy and the request say, the references that the host resolves, the
 * credentials that the broker gives, the private home's variables and PATH. No sentence of this class ever holds a value.
 * Source: placement.md, Start step 7.
 */
@ApplicationScoped
public class LaunchEnvironment {
    @Inject
    private Host host;

    @Inject
    private SecretReader secrets;

    @Inject
    private CredentialBroker broker;

    public LaunchEnvironment() {}

    LaunchEnvironment(SecretReader secrets, CredentialBroker broker) {
        this.secrets = secrets;
        this.broker = broker;
    }

    /** As {@link #of(HostPolicy, PrepareRequest, Path, DriverDefinition)}, under the policy in force. */
    Map<String, String> of(PrepareRequest request, Path home, DriverDefinition driver) {
        return of(host.policy(), request, home, driver);
    }

    /**
     * All variables but the supervisor's own marker.
     *
     * @param policy the host's, as this start found it
     * @param driver whose variables name the private home; null for driver {@code command}, and in the operator's own home
     * @throws BerthException DENIED when the policy, a reference or a required credential is gone, CONFLICT when two sources name
     *     one variable, INVALID when the request's parts are too much together
     */
    Map<String, String> of(HostPolicy policy, PrepareRequest request, Path home, DriverDefinition driver) {
        if (InternalAdmission.POLICY.equals(request.policyRef())) {
            return InternalAdmission.environment(policy, System.getenv());
        }
        HostPolicy.Policy selected = policy.policies().get(request.policyRef());
        if (selected == null) {
            throw new BerthException(
                    ProblemCode.DENIED, "policy_ref no longer names a policy of this host; prepare another attempt");
        }
        Map<String, String> variables = new LinkedHashMap<>(selected.environment());
        Map<String, String> given = new LinkedHashMap<>();
        request.environment().forEach((name, value) -> put(given, name, value));
        request.environmentRefs().forEach((name, reference) -> put(given, name, secret(policy, name, reference)));
        broker.environment(policy, request).forEach((name, value) -> put(given, name, value));
        requireBounded(given);
        given.forEach((name, value) -> put(variables, name, value));
        put(variables, "HOME", home.toString());
        if (driver != null) {
            driver.homeVariables()
                    .forEach((name, path) ->
                            put(variables, name, home.resolve(path).toString()));
        }
        put(variables, "PATH", String.join(":", policy.path()));
        return variables;
    }

    /** The names were counted when the request was decoded; what references and credentials hold is known only now. */
    private static void requireBounded(Map<String, String> given) {
        long bytes = 0;
        for (Map.Entry<String, String> each : given.entrySet()) {
            // Two bytes each: the equals sign and the NUL that end a name and a value in the child's own environment.
            bytes += each.getKey().length() + each.getValue().getBytes(StandardCharsets.UTF_8).length + 2L;
        }
        if (bytes > PrepareRequestDecoder.MOST_ENVIRONMENT_BYTES) {
            throw BerthException.invalid(
                    "environment, with what environment_refs and projections supply, must be at most "
                            + PrepareRequestDecoder.MOST_ENVIRONMENT_BYTES + " bytes");
        }
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
