package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.access.Caller;
import org.berth.access.service.GrantService;
import org.berth.harness.session.WorkspaceMode;
import org.berth.harness.transport.CommandForm;
import org.berth.harness.transport.KernelTransport;
import org.berth.harness.transport.Mount;
import org.berth.harness.transport.PathMap;
import org.berth.host.HostPolicy;
import org.berth.host.KernelTransportSetting;
import org.berth.host.service.Host;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.service.PhysicalPaths;
import org.berth.placement.service.ResourceAuthority;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The operator's kernel transports by name, and whether an owner may use one: what a transport shares with a sandbox must be
 * the owner's to write. Source: harness.md, Sessions.
 */
@ApplicationScoped
public class KernelTransports {
    @Inject
    private Host host;

    @Inject
    private GrantService grants;

    @Inject
    private ResourceAuthority authority;

    /**
     * Whether a session of that kind may be opened on the transport.
     *
     * @throws BerthException INVALID for a name of none, listing those that there are, or when an isolated workspace would lie
     *     outside everything that the transport shares
     */
    void require(String name, WorkspaceMode workspace) {
        KernelTransportSetting setting = setting(host.policy(), name);
        TransportMounts mounts = TransportMounts.in(host.stateRoot());
        if (workspace == WorkspaceMode.ISOLATED && !mounts.coverCopies(setting)) {
            throw BerthException.invalid("kernelTransport " + name + " shares no isolated workspaces: add host "
                    + mounts.workspaces() + " to its pathMap, or open the session with workspace shared");
        }
    }

    private static KernelTransportSetting setting(HostPolicy policy, String name) {
        KernelTransportSetting setting = policy.kernelTransports().get(name);
        if (setting == null) {
            throw BerthException.invalid("kernelTransport " + name + " is none of this host's; "
                    + (policy.kernelTransports().isEmpty()
                            ? "host.yaml has no kernel_transports"
                            : "there are "
                                    + String.join(
                                            ", ", policy.kernelTransports().keySet())));
        }
        return setting;
    }

    /**
     * The transport of that name for an owner's session.
     *
     * @param cwd where the session works
     * @throws BerthException INVALID for a name of none; DENIED for a mount that is not the owner's to write
     */
    KernelTransport.Wrapped of(Caller owner, String name, Path cwd) {
        HostPolicy policy = host.policy();
        KernelTransportSetting setting = setting(policy, name);
        List<Path> admitted = null;
        List<Mount> mounts = new ArrayList<>();
        for (KernelTransportSetting.SharedDirectory shared :
                TransportMounts.in(host.stateRoot()).of(setting, cwd)) {
            Path physical = PhysicalPaths.physical(Path.of(shared.host()));
            if (authority.reachesStateRoot(physical)) {
                throw denied(name, shared.host(), "reaches Berth's own state");
            }
            admitted = admitted == null ? admitted(policy, owner) : admitted;
            if (admitted.stream().noneMatch(physical::startsWith)) {
                throw denied(
                        name,
                        shared.host(),
                        policy.resourceMode() == HostPolicy.ResourceMode.GRANTED
                                ? "lies in no grant of the owner; an operator issues one with: berth grant create"
                                        + " --access write --purpose project"
                                : "is in no admitted root of this host that may be written");
            }
            mounts.add(new Mount(shared.sandbox(), Path.of(shared.host())));
        }
        return new KernelTransport.Wrapped(
                setting.argvPrefix(),
                setting.python(),
                setting.form() == KernelTransportSetting.Form.SHELL ? CommandForm.SHELL : CommandForm.ARGV,
                new PathMap(mounts),
                setting.env());
    }

    /** The physical directories that the owner may write in. */
    private List<Path> admitted(HostPolicy policy, Caller owner) {
        Stream<Path> roots = policy.resourceMode() == HostPolicy.ResourceMode.GRANTED
                ? grants.list(owner, owner.ownerId(), false).stream()
                        .filter(grant -> grant.access() == ResourceAccess.WRITE
                                && grant.purpose() == ResourcePurpose.PROJECT
                                && grant.attemptId() == null)
                        .map(grant -> Path.of(grant.root()).resolve(grant.subpath()))
                : policy.admittedRoots().values().stream()
                        .filter(root -> root.access() == ResourceAccess.WRITE)
                        .map(root -> Path.of(root.path()));
        return roots.map(PhysicalPaths::physical).toList();
    }

    private static BerthException denied(String name, String path, String why) {
        return new BerthException(ProblemCode.DENIED, "kernelTransport " + name + " shares " + path + ", which " + why);
    }
}
