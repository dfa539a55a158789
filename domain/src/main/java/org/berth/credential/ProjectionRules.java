package org.berth.credential;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.placement.PrepareRequest;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Which projections a launch may and must name. Source: placement.md, Launch request and Provider homes. */
public final class ProjectionRules {
    private ProjectionRules() {}

    /**
     * Checks all rules that need no look at the host.
     *
     * @param driver null for driver {@code command}
     * @throws BerthException DENIED for a projection that the policy does not admit; INVALID for one that is missing, for a
     *     login file without a driver or a private home for it, and for a name in {@code launch.environment} that nothing
     *     supplies
     */
    public static void require(
            HostPolicy host, HostPolicy.Policy policy, PrepareRequest request, DriverDefinition driver) {
        List<String> named = request.projections();
        for (int i = 0; i < named.size(); i++) {
            if (!policy.credentials().contains(named.get(i))
                    || !host.credentials().containsKey(named.get(i))) {
                throw new BerthException(
                        ProblemCode.DENIED,
                        "projections[" + i + "] names a credential that policy_ref does not admit; GET"
                                + " /api/placement/host lists those that it does");
            }
            if (host.credentials().get(named.get(i)).kind() == HostPolicy.CredentialKind.FILE) {
                requireLoginHome("projections[" + i + "]", policy, request, driver);
            }
        }
        if (driver != null) {
            policy.credentials().stream()
                    .filter(id -> !named.contains(id))
                    .findFirst()
                    .ifPresent(missing -> {
                        throw BerthException.invalid("projections must name " + missing
                                + ", a credential of policy_ref; a launch under an agent's driver names all of them");
                    });
        }
        requireSupplied(host, request);
    }

    private static void requireLoginHome(
            String field, HostPolicy.Policy policy, PrepareRequest request, DriverDefinition driver) {
        if (driver == null || driver.loginFile() == null) {
            throw BerthException.invalid(
                    field + " is a login file, and the driver " + policy.driver() + " declares no place for one");
        }
        if (request.launch().homeRef() != null && request.sessionRef() == null) {
            throw BerthException.invalid(field + " is a login file and needs a private home: leave launch.home_ref out,"
                    + " or name session_ref with it");
        }
    }

    private static void requireSupplied(HostPolicy host, PrepareRequest request) {
        Set<String> supplied = new HashSet<>(request.environment().keySet());
        supplied.addAll(request.environmentRefs().keySet());
        request.projections()
                .forEach(id -> supplied.add(host.credentials().get(id).destination()));
        List<String> needed = request.launch().environment();
        for (int i = 0; i < needed.size(); i++) {
            if (!supplied.contains(needed.get(i))) {
                throw BerthException.invalid("launch.environment[" + i + "] names " + needed.get(i)
                        + ", which environment, environment_refs or a projection must supply");
            }
        }
    }
}
