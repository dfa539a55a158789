package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.access.service.GrantService;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.WorkspaceMode;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.service.InternalAdmission;
import org.berth.placement.service.PhysicalPaths;
import org.berth.placement.service.ResourceAuthority;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** By which right a session works in its directory. Source: api.md, first start: an operator's create issues its own grant. */
@ApplicationScoped
public class SessionDirectories {
    /** What a resource is called that has no admitted root, or no grant. */
    private static final String NONE = "session";

    @Inject
    private Host host;

    @Inject
    private GrantService grants;

    @Inject
    private ResourceAuthority authority;

    /**
     * The grant for {@code directory}: one that the owner has, else a new one where the caller may issue it. A copy that was
     * made for an isolated session is the session's own.
     *
     * @return empty where the host's admitted roots decide
     * @throws BerthException DENIED
     */
    Optional<String> grant(Caller caller, Path directory, WorkspaceMode workspace) {
        Path physical = PhysicalPaths.physical(directory);
        if (authority.reachesStateRoot(physical)) {
            throw new BerthException(ProblemCode.DENIED, "a session may not work in Berth's own state");
        }
        if (workspace == WorkspaceMode.ISOLATED) {
            return issued(new Caller(caller.ownerId(), Set.of(Role.OPERATOR), caller.tokenId()), physical)
                    .map(ResourceGrant::grantRef);
        }
        if (host.policy().resourceMode() == HostPolicy.ResourceMode.HOST_CONFIGURED) {
            admitted(physical);
            return Optional.empty();
        }
        return Optional.of(grants.list(caller, caller.ownerId(), false).stream()
                .filter(grant -> grant.access() == ResourceAccess.WRITE
                        && grant.purpose() == ResourcePurpose.PROJECT
                        && grant.attemptId() == null
                        && PhysicalPaths.physical(Path.of(grant.root()).resolve(grant.subpath()))
                                .equals(physical))
                .findFirst()
                .or(() -> issued(caller, physical))
                .map(ResourceGrant::grantRef)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.DENIED,
                        "you have no grant to write in " + directory
                                + "; an operator issues one with: berth grant create"
                                + " --access write --purpose project")));
    }

    private Optional<ResourceGrant> issued(Caller caller, Path physical) {
        return caller.isOperator()
                ? Optional.of(grants.issue(
                        caller,
                        new GrantService.Wish(
                                caller.ownerId(),
                                physical.toString(),
                                "",
                                ResourceAccess.WRITE,
                                ResourcePurpose.PROJECT,
                                null,
                                null)))
                : Optional.empty();
    }

    /** The session's directory as a launch names it. @throws BerthException DENIED */
    InternalAdmission.Directory of(HarnessSession session) {
        if (host.policy().resourceMode() == HostPolicy.ResourceMode.GRANTED && session.grantRef() != null) {
            return new InternalAdmission.Directory(session.grantRef(), NONE, "");
        }
        return admitted(PhysicalPaths.physical(Path.of(session.cwd())));
    }

    private InternalAdmission.Directory admitted(Path physical) {
        return host.policy().admittedRoots().entrySet().stream()
                .filter(root -> root.getValue().access() == ResourceAccess.WRITE)
                .filter(root -> physical.startsWith(
                        PhysicalPaths.physical(Path.of(root.getValue().path()))))
                .findFirst()
                .map(root -> new InternalAdmission.Directory(
                        NONE,
                        root.getKey(),
                        PhysicalPaths.physical(Path.of(root.getValue().path()))
                                .relativize(physical)
                                .toString()))
                .orElseThrow(() -> new BerthException(
                        ProblemCode.DENIED, physical + " is in no admitted root of this host that may be written"));
    }
}
