package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Optional;
import java.util.logging.Logger;
import org.berth.fault.FaultPoint;
import org.berth.placement.AttemptSteps;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Step;

/** Records one event of the supervisor; one that comes again changes nothing. */
@ApplicationScoped
public class EventRecorder {
    private static final Logger LOG = Logger.getLogger(EventRecorder.class.getName());

    @Inject
    private AttemptLedger ledger;

    @Inject
    private Clock clock;

    /** @throws org.berth.problem.BerthException when the database refused; the event then comes again */
    public void record(ProcessEvent event) {
        Optional<Step> recorded = AttemptChanges.retried(() -> ledger.changeByKey(event.attemptKey(), attempt -> {
            FaultPoint.EVENT_BEFORE_COMMIT.hit();
            if (!attempt.nonce().equals(event.nonce())) {
                return Step.keep(attempt);
            }
            return AttemptSteps.event(attempt, event, identity(event), clock.instant());
        }));
        if (recorded.isEmpty()) {
            LOG.warning("an event of an attempt that the database does not have: key " + event.attemptKey() + ", "
                    + event.kind().wire());
        }
    }

    /** The identity that an exit carries, for the case that it overtakes the answer to the spawn. */
    private static ProcessIdentity identity(ProcessEvent event) {
        String pid = event.detail().get("pid");
        if (pid == null) {
            return null;
        }
        return new ProcessIdentity(
                Long.parseLong(pid),
                Long.parseLong(event.detail().getOrDefault("group", pid)),
                Long.parseLong(event.detail().getOrDefault("start_ticks", "0")),
                event.detail().getOrDefault("boot_id", ""),
                null);
    }
}
