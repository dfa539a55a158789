package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.HostMeasurement;
import org.berth.placement.Processes;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What this host measured, which figures are in force, and its policy. Source: placement.md, capabilities. */
@ApplicationScoped
public class HostService {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private HostCapability capability;

    @Inject
    private AttemptReader reader;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private ContainerAttempts containers;

    public String hostId() {
        return host.hostId();
    }

    /** The release's version, from the archive. */
    public String version() {
        String version = HostService.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** Fails with UNAVAILABLE when no supervisor answers. */
    public CompletionStage<Map<String, Object>> capabilities() {
        return capability.measured().thenApplyAsync(this::tree, executor);
    }

    private Map<String, Object> tree(HostMeasurement measured) {
        HostPolicy policy = host.policy();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("host_id", host.hostId());
        tree.put("capability", Wire.name(measured.capability()));
        tree.put("exit_observation", Wire.name(measured.exitObservation()));
        tree.put("containment", measured.containment());
        tree.put("containment_reason", measured.containmentReason());
        tree.put("state_root_isolated", measured.stateRootIsolated());
        tree.put("kernel", measured.kernel());
        tree.put("placement", Wire.name(policy.placement()));
        if (policy.placement() != HostPolicy.Placement.NATIVE) {
            tree.put("container", containers.published());
        }
        tree.put("resource_mode", Wire.name(policy.resourceMode()));
        tree.put("delegated_resource_grants", policy.resourceMode() == HostPolicy.ResourceMode.GRANTED);
        tree.put("revocation_enforcement", "stop_on_reconcile");
        tree.put("credential_broker", true);
        Map<String, Object> sweep = new LinkedHashMap<>();
        sweep.put("scheduling_delay_ms", policy.sweep().every().toMillis());
        sweep.put("reconcile_timeout_ms", policy.sweep().reconcileTimeout().toMillis());
        sweep.put("stop_grace_ms", "per attempt, timeouts.stop_grace_ms");
        sweep.put("bound", policy.sweep().bound());
        tree.put("sweep", sweep);
        Map<String, Object> counts = new LinkedHashMap<>();
        reader.counts().forEach((state, count) -> counts.put(Wire.name(state), count));
        tree.put("attempts", counts);
        List<Map<String, Object>> supervisors = new ArrayList<>();
        for (Processes.SupervisorInfo supervisor : gateway.call(Processes::supervisors)) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("incarnation", supervisor.incarnation());
            each.put("pid", supervisor.pid());
            each.put("build", supervisor.build());
            each.put("started_at", supervisor.startedAt().toString());
            each.put("attempts", supervisor.attempts());
            supervisors.add(each);
        }
        tree.put("supervisors", supervisors);
        return tree;
    }

    /** The policy in force, without secrets. */
    public Map<String, Object> policy() {
        return host.policy().publish();
    }

    /** Reads host.yaml again. @throws BerthException FORBIDDEN; INVALID with the line, the old policy staying */
    public Map<String, Object> reload(Caller caller) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator reloads the host policy");
        }
        return host.reload().publish();
    }

    /** Fails with INVALID, NOT_FOUND, or FORBIDDEN over Berth's own state. */
    public CompletionStage<ExecutableMeasurement> measure(Caller caller, String path) {
        Path file;
        try {
            file = Path.of(path);
        } catch (java.nio.file.InvalidPathException e) {
            throw BerthException.invalid("path is no path");
        }
        if (!file.isAbsolute()) {
            throw BerthException.invalid("path must be absolute");
        }
        if (PhysicalPaths.physical(file).startsWith(host.stateRoot()) && !caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "path lies in Berth's own state");
        }
        return gateway.call(processes -> processes.measure(path))
                .handleAsync(
                        (measured, failure) -> {
                            if (failure != null) {
                                throw Failures.unwrap(failure);
                            }
                            return measured;
                        },
                        executor);
    }
}
