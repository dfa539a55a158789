package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Logger;
import org.berth.fault.FaultPoint;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Step;

/**
 * Records one event of the supervisor; one that comes again changes nothing. An event of a process that is no attempt
 * goes to its {@link ProcessOwner}.
 */
@ApplicationScoped
public class EventRecorder {
    private static final Logger LOG = Logger.getLogger(EventRecorder.class.getName());

    /** Attempts whose id is remembered by their key; the one remembered first makes room. An own choice. */
    private static final int MOST_IDS = 4096;

    @Inject
    private AttemptChanges changes;

    @Inject
    private StartReceipts receipts;

    @Inject
    private ContainerAttempts containers;

    @Inject
    private LiveStreams streams;

    @Inject
    @Any
    private Instance<ProcessOwner> owners;

    @Inject
    private Clock clock;

    /** By attempt key; what is not in it is searched for. */
    private final Map<String, String> ids = new LinkedHashMap<>();

    /** Events of {@code attempt} are about to come. */
    void expect(Attempt attempt) {
        synchronized (ids) {
            ids.put(attempt.attemptKey(), attempt.attemptId());
            if (ids.size() > MOST_IDS) {
                ids.remove(ids.keySet().iterator().next());
            }
        }
    }

    private String idOf(String attemptKey) {
        synchronized (ids) {
            return ids.get(attemptKey);
        }
    }

    /** @throws org.berth.problem.BerthException when the database refused; the event then comes again */
    public void record(ProcessEvent told) {
        ProcessEvent event = containers.joined(told);
        if (receipts.join(event)) {
            return;
        }
        Function<Attempt, Step> rule = attempt -> {
            FaultPoint.EVENT_BEFORE_COMMIT.hit();
            if (!attempt.nonce().equals(event.nonce())) {
                return Step.keep(attempt);
            }
            return AttemptSteps.event(attempt, event, identity(event), clock.instant());
        };
        String id = idOf(event.attemptKey());
        Optional<Step> recorded =
                id == null ? changes.applyByKey(event.attemptKey(), rule) : changes.applyIfPresent(id, rule);
        recorded.map(Step::attempt).ifPresent(streams::observed);
        if (recorded.isEmpty() && !owned(event)) {
            LOG.warning("an event of an attempt that the database does not have: key " + event.attemptKey() + ", "
                    + event.kind().wire());
        }
    }

    private boolean owned(ProcessEvent event) {
        boolean owned = false;
        for (ProcessOwner owner : owners) {
            owned |= owner.observe(event);
        }
        return owned;
    }

    /** The identity that an exit carries, for the case that it overtakes the answer to the spawn. */
    private static ProcessIdentity identity(ProcessEvent event) {
        String pid = event.detail().get("pid");
        if (pid == null || event.exit() == null) {
            return null;
        }
        return new ProcessIdentity(
                Long.parseLong(pid),
                number(event, "group"),
                number(event, "start_ticks"),
                event.detail().get("boot_id"),
                event.detail().containsKey("init_pid") ? tree(event) : null);
    }

    private static ProcessIdentity.Tree tree(ProcessEvent event) {
        return new ProcessIdentity.Tree(
                number(event, "init_pid"),
                number(event, "init_start_ticks"),
                number(event, "inner_pid"),
                number(event, "inner_start_ticks"));
    }

    private static long number(ProcessEvent event, String name) {
        return Long.parseLong(event.detail().get(name));
    }
}
