package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.access.Caller;
import org.berth.access.service.GrantService;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.Wire;
import org.berth.placement.service.PhysicalPaths;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The right of a member to its working directory, in the mode that the host selected: a grant of Berth's owner, which an
 * operator who starts the rig issues by doing so; or the admitted root that the directory lies below.
 */
@ApplicationScoped
public class MemberDirectory {
    /** The resource's name in the launch request: {@value}. */
    static final String NAME = "cwd";

    @Inject
    private Host host;

    @Inject
    private GrantService grants;

    /**
     * The resource of a launch request.
     *
     * @param mayIssue whether an operator asks
     * @throws BerthException DENIED without a right to it; INVALID when there is no such directory
     */
    Map<String, Object> resource(Caller owner, String cwd, boolean mayIssue) {
        Path directory = PhysicalPaths.physical(Path.of(cwd));
        return host.policy().resourceMode() == HostPolicy.ResourceMode.GRANTED
                ? granted(owner, directory, mayIssue)
                : admitted(directory);
    }

    private Map<String, Object> granted(Caller owner, Path directory, boolean mayIssue) {
        ResourceGrant grant = grants.list(owner, owner.ownerId(), false).stream()
                .filter(each -> each.attemptId() == null
                        && each.subpath().isEmpty()
                        && each.root().equals(directory.toString())
                        && each.purpose() == ResourcePurpose.PROJECT
                        && each.access() == ResourceAccess.WRITE)
                .findFirst()
                .orElseGet(() -> issued(owner, directory, mayIssue));
        return tree(grant.grantRef(), NAME, "", ResourceAccess.WRITE);
    }

    private ResourceGrant issued(Caller owner, Path directory, boolean mayIssue) {
        if (!mayIssue) {
            throw new BerthException(
                    ProblemCode.DENIED,
                    "Nobody has granted the directory " + directory + "; an operator starts the member, or grants it.");
        }
        return grants.issue(
                owner,
                new GrantService.Wish(
                        owner.ownerId(),
                        directory.toString(),
                        "",
                        ResourceAccess.WRITE,
                        ResourcePurpose.PROJECT,
                        null,
                        null));
    }

    private Map<String, Object> admitted(Path directory) {
        return host.policy().admittedRoots().entrySet().stream()
                .filter(root -> directory.startsWith(physical(root)))
                .min(Comparator.<Map.Entry<String, HostPolicy.AdmittedRoot>, Boolean>comparing(
                                root -> root.getValue().access() != ResourceAccess.WRITE)
                        .thenComparing(Map.Entry::getKey))
                .map(root -> tree(
                        root.getKey(),
                        root.getKey(),
                        physical(root).relativize(directory).toString(),
                        root.getValue().access()))
                .orElseThrow(() -> new BerthException(
                        ProblemCode.DENIED,
                        "The directory " + directory + " lies below no admitted root of this host."));
    }

    private static Path physical(Map.Entry<String, HostPolicy.AdmittedRoot> root) {
        return PhysicalPaths.physical(Path.of(root.getValue().path()));
    }

    private static Map<String, Object> tree(String grantRef, String rootRef, String subpath, ResourceAccess access) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", NAME);
        tree.put("grant_ref", grantRef);
        tree.put("root_ref", rootRef);
        tree.put("subpath", subpath);
        tree.put("access", Wire.name(access));
        tree.put("purpose", Wire.name(ResourcePurpose.PROJECT));
        return tree;
    }
}
