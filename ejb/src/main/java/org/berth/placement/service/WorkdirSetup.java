package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.berth.driver.AgentDriver;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.PrepareRequest;
import org.berth.preparer.service.Directories;
import org.berth.preparer.service.Preparers;
import org.berth.preparer.service.WritableRoots;
import org.berth.problem.BerthException;

/**
 * Where the child works, and what it may write beside: what the preparers make of the directory that the launch names.
 * Source: placement.md, Start, step 5, and writable roots.
 */
@ApplicationScoped
public class WorkdirSetup {
    @Inject
    private Host host;

    @Inject
    private DriverAdmission drivers;

    @Inject
    private Preparers preparers;

    @Inject
    private Clock clock;

    /**
     * Where the child works.
     *
     * @param directory physical path
     * @param arguments let the agent write below what preparers contributed; they go before all others
     */
    record Workdir(Path directory, List<String> arguments) {}

    /** @param named the directory that the launch names */
    Workdir setUp(Attempt attempt, PrepareRequest request, Path named, BooleanSupplier mayGoOn, List<Evidence> done)
            throws StartRefusal {
        List<Evidence> refusal = new ArrayList<>();
        Directories prepared;
        try {
            prepared = preparers
                    .setUp(attempt, request, named, refusal::add, mayGoOn)
                    .orElse(null);
        } catch (BerthException e) {
            done.addAll(refusal);
            throw new StartRefusal(
                    Evidence.of(clock.instant(), EvidenceKind.WORKDIR_FAILED, Map.of("reason", e.getMessage())), e);
        }
        if (prepared == null) {
            // A stop came first: the spawn is not reached, whatever this says.
            return new Workdir(named, List.of());
        }
        AgentDriver driver = drivers.driver(attempt.policyRef());
        if (driver == null) {
            return new Workdir(prepared.workingDirectory(), List.of());
        }
        HostPolicy.Policy policy = host.policy().policy(attempt.policyRef());
        return new Workdir(
                prepared.workingDirectory(),
                WritableRoots.arguments(driver, policy.profile(), policy.agent().edits(), prepared));
    }
}
