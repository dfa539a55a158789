package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.credential.service.LoginWriteback;
import org.berth.driver.AgentDriver;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.PrepareRequest;
import org.berth.preparer.service.Preparers;
import org.berth.problem.BerthException;

/**
 * What an attempt leaves behind beside its home, once its processes are proven gone: a refreshed login, and what
 * preparers made. Source: placement.md, Preparers and login write-back.
 */
@ApplicationScoped
public class LaunchEnds {
    private static final Logger LOG = Logger.getLogger(LaunchEnds.class.getName());

    @Inject
    private Host host;

    @Inject
    private DriverAdmission drivers;

    @Inject
    private AgentMaterialiser agents;

    @Inject
    private LoginWriteback writeback;

    @Inject
    private Preparers preparers;

    @Inject
    private AttemptChanges changes;

    @Inject
    private Clock clock;

    /** Writes a login that the agent refreshed back to where it came from, where the host wants it. Refuses nothing. */
    void bringHome(Attempt attempt) {
        if (!host.policy().providerLoginWriteback() || InternalAdmission.POLICY.equals(attempt.policyRef())) {
            return;
        }
        try {
            AgentDriver driver = drivers.driver(attempt.policyRef());
            PrepareRequest request = StoredRequest.of(attempt);
            if (driver == null || LaunchDirectories.usesHostHome(request)) {
                return;
            }
            writeback
                    .writeBack(host.policy(), request, agents.home(attempt, driver))
                    .ifPresent(outcome -> changes.apply(
                            attempt.attemptId(),
                            current ->
                                    AttemptSteps.observed(current, outcome.kind(), outcome.detail(), clock.instant())));
        } catch (BerthException e) {
            LOG.log(Level.WARNING, "the login of attempt key " + attempt.attemptKey() + " was not written back", e);
        }
    }

    /** Cleans up what preparers made; each failure is in the evidence. @return whether none is left */
    boolean settlePreparers(Attempt attempt) {
        try {
            return preparers.cleanUp(attempt).settled();
        } catch (BerthException e) {
            LOG.log(Level.WARNING, "what preparers made for attempt key " + attempt.attemptKey() + " stays", e);
            return false;
        }
    }
}
