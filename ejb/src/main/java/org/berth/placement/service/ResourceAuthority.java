package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.PrepareRequest;
import org.berth.placement.ResolvedResource;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.store.ResourceGrantRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Resolves a request's resources in the mode that the host selected: through its grants, or against the admitted
 * roots. Source: placement.md, Resources.
 */
@ApplicationScoped
public class ResourceAuthority {
    /** The root that lets a launch use the operator's own home. Source: placement.md, home_ref. */
    public static final String MACHINE_HOME = "machine_home";

    /** The names from the state root to a workspace's copy. */
    private static final int COPY_DEPTH = 4;

    @Inject
    private Host host;

    @Inject
    private ResourceGrantRepository grants;

    /** @throws BerthException DENIED, naming the resource */
    public List<ResolvedResource> resolve(PrepareRequest request, Instant now) {
        List<ResolvedResource> resolved = new ArrayList<>();
        for (int i = 0; i < request.resources().size(); i++) {
            PrepareRequest.Resource wanted = request.resources().get(i);
            String field = "resources[" + i + "]";
            if (MACHINE_HOME.equals(wanted.rootRef())) {
                resolved.add(machineHome(request, wanted, field));
            } else if (host.policy().resourceMode() == HostPolicy.ResourceMode.GRANTED) {
                resolved.add(granted(request.ownerId(), request.attemptId(), wanted, field, now));
            } else {
                resolved.add(admitted(wanted, field));
            }
        }
        return List.copyOf(resolved);
    }

    private ResolvedResource machineHome(PrepareRequest request, PrepareRequest.Resource wanted, String field) {
        HostPolicy.Policy policy = host.policy().policies().get(request.policyRef());
        if (policy == null || !policy.allowHostHome()) {
            throw denied(field + ".root_ref machine_home is admitted only where the policy says allow_host_home");
        }
        return new ResolvedResource(
                wanted.name(),
                wanted.grantRef(),
                System.getProperty("user.home"),
                "",
                wanted.access(),
                wanted.purpose());
    }

    private ResolvedResource granted(
            String ownerId, String attemptId, PrepareRequest.Resource wanted, String field, Instant now) {
        ResourceGrant grant = grants.find(wanted.grantRef())
                .filter(found -> found.subject().equals(ownerId))
                .filter(found -> found.attemptId() == null || found.attemptId().equals(attemptId))
                .orElseThrow(() -> denied(field + ".grant_ref is no grant of this owner for this attempt"));
        if (!grant.holds(now)) {
            throw denied(field + ".grant_ref is revoked or expired");
        }
        if (wanted.access() == ResourceAccess.WRITE && grant.access() != ResourceAccess.WRITE) {
            throw denied(field + ".access write is more than the grant gives");
        }
        if (wanted.purpose() != grant.purpose()) {
            throw denied(field + ".purpose is not the grant's");
        }
        return new ResolvedResource(
                wanted.name(), grant.grantRef(), grant.root(), grant.subpath(), wanted.access(), wanted.purpose());
    }

    private ResolvedResource admitted(PrepareRequest.Resource wanted, String field) {
        HostPolicy.AdmittedRoot root = host.policy().admittedRoots().get(wanted.rootRef());
        if (root == null) {
            throw denied(field + ".root_ref names no admitted root of this host");
        }
        if (wanted.access() == ResourceAccess.WRITE && root.access() != ResourceAccess.WRITE) {
            throw denied(field + ".access write is more than the root admits");
        }
        if (reachesStateRoot(Path.of(root.path()).resolve(wanted.subpath()))) {
            throw denied(field + " reaches Berth's own state");
        }
        return new ResolvedResource(
                wanted.name(), wanted.grantRef(), root.path(), wanted.subpath(), wanted.access(), wanted.purpose());
    }

    /** Resolves the recorded resources again. @throws BerthException DENIED when one no longer holds */
    public void recheck(Attempt attempt, Instant now) {
        boolean granted = host.policy().resourceMode() == HostPolicy.ResourceMode.GRANTED;
        for (ResolvedResource resource : attempt.resources()) {
            boolean holds = granted
                    ? grants.find(resource.grantRef())
                            .filter(grant -> grant.subject().equals(attempt.ownerId()))
                            .filter(grant -> grant.root().equals(resource.root()))
                            .filter(grant -> grant.holds(now))
                            .isPresent()
                    : host.policy().admittedRoots().values().stream()
                            .anyMatch(root -> root.path().equals(resource.root())
                                    && (resource.access() == ResourceAccess.READ
                                            || root.access() == ResourceAccess.WRITE));
            if (!holds && !isMachineHome(attempt, resource)) {
                throw denied("the resource '" + resource.name() + "' no longer holds");
            }
        }
    }

    private boolean isMachineHome(Attempt attempt, ResolvedResource resource) {
        HostPolicy.Policy policy = host.policy().policies().get(attempt.policyRef());
        return policy != null
                && policy.allowHostHome()
                && resource.root().equals(System.getProperty("user.home"))
                && resource.subpath().isEmpty();
    }

    /** Whether a path lies in the state root, or contains it; a child session's own copy of its parent's files does not. */
    public boolean reachesStateRoot(Path path) {
        Path state = host.stateRoot();
        Path normal = PhysicalPaths.physical(path);
        if (isWorkspaceCopy(state, normal)) {
            return false;
        }
        return normal.startsWith(state) || state.startsWith(normal);
    }

    /** {@code workspaces/<parent>/<child>/copy}, or below. Source: harness.md, Isolated workspaces. */
    private static boolean isWorkspaceCopy(Path state, Path path) {
        return path.startsWith(state.resolve("workspaces"))
                && path.getNameCount() >= state.getNameCount() + COPY_DEPTH
                && path.getName(state.getNameCount() + COPY_DEPTH - 1)
                        .toString()
                        .equals("copy");
    }

    private static BerthException denied(String sentence) {
        return new BerthException(ProblemCode.DENIED, sentence);
    }
}
