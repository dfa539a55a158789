package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.placement.Attempt;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.FenceOutcome;
import org.berth.placement.OutputRecipient;
import org.berth.problem.BerthException;

/**
 * The recipients that are connected to this server, one per attempt. A recipient may come before the start: it gets
 * its output once the child exists.
 */
@ApplicationScoped
public class LiveStreams {
    private static final Logger LOG = Logger.getLogger(LiveStreams.class.getName());

    /** @param begun whether the supervisor was asked for the output */
    private record Entry(long generation, OutputRecipient recipient, AtomicBoolean begun) {}

    private final ProcessesGateway gateway;
    private final AttemptLedger ledger;

    private final ConcurrentHashMap<String, Entry> connected = new ConcurrentHashMap<>();

    /** For the container's proxy. */
    protected LiveStreams() {
        this(null, null);
    }

    @Inject
    LiveStreams(ProcessesGateway gateway, AttemptLedger ledger) {
        this.gateway = gateway;
        this.ledger = ledger;
    }

    /** Connects a recipient under the attempt's generation; it replaces an earlier connection. */
    public void connect(Attempt attempt, long generation, OutputRecipient recipient) {
        Entry replaced = connected.put(attempt.attemptId(), new Entry(generation, recipient, new AtomicBoolean()));
        if (replaced != null) {
            replaced.recipient().fenced(generation);
        }
        // A child that exists is never unmade; only one that does not yet may have come since the read.
        Attempt now = attempt.identity() != null
                ? attempt
                : ledger.find(attempt.attemptId()).orElse(attempt);
        if (now.executionState() == ExecutionState.EXITED && now.identity() == null) {
            recipient.exited(now.exit());
        } else if (now.identity() != null) {
            started(now);
        }
    }

    /** The recipient left; what it did not acknowledge stays in the spool. */
    public void disconnect(Attempt attempt, OutputRecipient recipient) {
        Entry entry = connected.get(attempt.attemptId());
        if (entry == null || entry.recipient() != recipient) {
            return;
        }
        connected.remove(attempt.attemptId(), entry);
        try {
            gateway.call(processes -> {
                processes.release(attempt.attemptKey(), recipient);
                return null;
            });
        } catch (BerthException e) {
            LOG.log(Level.FINE, "nobody to release a recipient from", e);
        }
    }

    /** The child exists: a waiting recipient begins to receive. */
    void started(Attempt attempt) {
        Entry entry = connected.get(attempt.attemptId());
        if (entry == null || !entry.begun().compareAndSet(false, true)) {
            return;
        }
        gateway.call(processes ->
                        processes.receive(attempt.attemptKey(), attempt.nonce(), entry.generation(), entry.recipient()))
                .whenComplete((outcome, failure) -> received(attempt, entry, outcome, failure));
    }

    private void received(Attempt attempt, Entry entry, FenceOutcome outcome, Throwable failure) {
        if (failure != null) {
            entry.recipient().lost();
        } else if (!outcome.accepted() && outcome.known()) {
            entry.recipient().fenced(outcome.generation());
        } else if (!outcome.known()) {
            Attempt now = ledger.find(attempt.attemptId()).orElse(attempt);
            if (now.executionState() == ExecutionState.EXITED) {
                entry.recipient().exited(now.exit());
            }
        }
    }

    /**
     * What became known otherwise than by the start's own answer, such as after a restart: a recipient that still waits
     * begins to receive, also of a child that ended meanwhile, or is told that there is none.
     */
    void observed(Attempt attempt) {
        if (attempt.identity() != null) {
            started(attempt);
        } else {
            ended(attempt);
        }
    }

    /** The attempt ended without a child: a waiting recipient is told. */
    void ended(Attempt attempt) {
        Entry entry = connected.get(attempt.attemptId());
        if (entry != null && attempt.identity() == null && attempt.executionState() == ExecutionState.EXITED) {
            entry.recipient().exited(attempt.exit() == null ? new Exit.Unknown("not recorded") : attempt.exit());
        }
    }

    /** A newer generation was allocated: the recipient of an older one is out. */
    void fence(Attempt attempt) {
        Entry entry = connected.get(attempt.attemptId());
        if (entry != null && entry.generation() < attempt.attachmentGeneration()) {
            connected.remove(attempt.attemptId(), entry);
            entry.recipient().fenced(attempt.attachmentGeneration());
        }
    }
}
