package org.berth.activity.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.berth.activity.ActivityEvent;
import org.berth.activity.ActivityGrant;
import org.berth.activity.ActivityRules;
import org.berth.activity.GrantRules;
import org.berth.activity.HookPost;
import org.berth.activity.store.ActivityEventRepository;
import org.berth.activity.store.ActivityGrantRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.GenerationState;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;

/**
 * The transaction border of hook posts. Every grant is read again under its row's lock, in the transaction that writes
 * what it permits, so that neither a revocation nor a reissue comes between.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class HookLedger {
    @Inject
    private ActivityGrantRepository grants;

    @Inject
    private ActivityEventRepository events;

    @Inject
    private RigDirectory rigs;

    /** One answer for each submission, in their order; a refused one writes nothing and harms no other. */
    public List<HookOutcome> record(List<HookSubmission> submissions) {
        // In one order for all servers, so that two of them cannot wait for each other.
        TreeSet<String> hashes = new TreeSet<>();
        submissions.forEach(each -> Optional.ofNullable(each.tokenHash()).ifPresent(hashes::add));
        Map<String, Optional<ActivityGrant>> locked = new HashMap<>();
        hashes.forEach(hash -> locked.put(hash, grants.lockByHash(hash)));
        Seats seats = new Seats();
        List<HookOutcome> outcomes = new ArrayList<>(submissions.size());
        List<ActivityEvent> accepted = new ArrayList<>(submissions.size());
        for (HookSubmission each : submissions) {
            try {
                ActivityEvent event = each.tokenHash() == null
                        ? installWide(each, seats)
                        : granted(each, GrantRules.authenticate(locked.get(each.tokenHash())), seats);
                accepted.add(event);
                outcomes.add(new HookOutcome.Recorded(event));
            } catch (BerthException refusal) {
                outcomes.add(new HookOutcome.Refused(refusal));
            }
        }
        if (!accepted.isEmpty()) {
            events.append(accepted);
        }
        return outcomes;
    }

    private static ActivityEvent granted(HookSubmission submission, ActivityGrant grant, Seats seats) {
        Optional<RigNode> node = seats.node(grant.nodeId());
        String seat = node.map(RigNode::seat).orElse(null);
        GrantRules.permit(grant, submission.post(), seat, seats.state(grant));
        return event(submission, grant.nodeId(), seat, grant.generation(), grant.grantId());
    }

    private static ActivityEvent installWide(HookSubmission submission, Seats seats) {
        HookPost post = submission.post();
        if (post.nodeId() == null && post.sessionName() == null) {
            throw BerthException.invalid("sessionName or nodeId must name the seat");
        }
        RigNode node = (post.nodeId() != null ? seats.node(post.nodeId()) : seats.seat(post.sessionName()))
                .filter(found ->
                        post.sessionName() == null || post.sessionName().equals(found.seat()))
                .orElseThrow(() -> new BerthException(ProblemCode.SEAT_MISSING, "there is no such seat"));
        String generation = post.generation() != null
                ? post.generation()
                : seats.current(node.nodeId()).orElse(null);
        return event(submission, node.nodeId(), node.seat(), generation, null);
    }

    private static ActivityEvent event(
            HookSubmission submission, String nodeId, String seat, String generation, String grantId) {
        HookPost post = submission.post();
        return new ActivityEvent(
                0,
                nodeId,
                seat,
                generation,
                post.runtime(),
                post.hookEvent(),
                post.subtype(),
                post.nativeSession(),
                ActivityRules.decides(post.hookEvent(), post.subtype()).orElse(null),
                ActivityRules.occurred(post.occurredAt(), submission.receivedAt()),
                submission.receivedAt(),
                grantId);
    }

    /** What the directory says, asked once for each node within the transaction. */
    private final class Seats {
        private final Map<String, Optional<RigNode>> nodes = new HashMap<>();
        private final Map<String, Optional<RigNode>> bySeat = new HashMap<>();
        private final Map<String, GenerationState> states = new HashMap<>();
        private final Map<String, Optional<String>> currents = new HashMap<>();

        Optional<RigNode> node(String nodeId) {
            return nodes.computeIfAbsent(nodeId, rigs::node);
        }

        Optional<RigNode> seat(String seat) {
            return bySeat.computeIfAbsent(seat, rigs::seat);
        }

        GenerationState state(ActivityGrant grant) {
            return states.computeIfAbsent(grant.grantId(), _ -> rigs.state(grant.nodeId(), grant.generation()));
        }

        Optional<String> current(String nodeId) {
            return currents.computeIfAbsent(nodeId, rigs::current);
        }
    }
}
