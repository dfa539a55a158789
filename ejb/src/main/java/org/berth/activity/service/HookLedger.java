package org.berth.activity.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.berth.activity.ActivityEvent;
import org.berth.activity.ActivityGrant;
import org.berth.activity.ActivityRules;
import org.berth.activity.GrantRules;
import org.berth.activity.HookPost;
import org.berth.activity.store.ActivityEventRepository;
import org.berth.activity.store.ActivityGrantRepository;
import org.berth.persistence.GroupCommit;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;

/**
 * Records hook posts. A grant is read again under its row's lock, in the transaction that writes what it permits, so that
 * neither a revocation nor a reissue comes between; a refused post writes nothing.
 */
@ApplicationScoped
public class HookLedger {
    @Inject
    private ActivityGrantRepository grants;

    @Inject
    private ActivityEventRepository events;

    @Inject
    private RigDirectory rigs;

    @Inject
    private GroupCommit commits;

    /** Completes once the post is durable, on the writing thread; fails with the {@link BerthException} that refuses it. */
    public CompletionStage<ActivityEvent> record(HookSubmission submission) {
        return commits.submit(connection -> record(connection, submission));
    }

    private ActivityEvent record(Connection connection, HookSubmission submission) throws SQLException {
        ActivityEvent event = submission.tokenHash() == null
                ? installWide(submission)
                : granted(submission, GrantRules.authenticate(grants.lockByHash(connection, submission.tokenHash())));
        events.append(connection, event);
        return event;
    }

    private ActivityEvent granted(HookSubmission submission, ActivityGrant grant) {
        Optional<RigNode> node = rigs.node(grant.nodeId());
        String seat = node.map(RigNode::seat).orElse(null);
        GrantRules.permit(grant, submission.post(), seat, rigs.state(grant.nodeId(), grant.generation()));
        return event(submission, grant.nodeId(), seat, grant.generation(), grant.grantId());
    }

    private ActivityEvent installWide(HookSubmission submission) {
        HookPost post = submission.post();
        if (post.nodeId() == null && post.sessionName() == null) {
            throw BerthException.invalid("sessionName or nodeId must name the seat");
        }
        RigNode node = (post.nodeId() != null ? rigs.node(post.nodeId()) : rigs.seat(post.sessionName()))
                .filter(found ->
                        post.sessionName() == null || post.sessionName().equals(found.seat()))
                .orElseThrow(() -> new BerthException(ProblemCode.SEAT_MISSING, "there is no such seat"));
        String generation = post.generation() != null
                ? post.generation()
                : rigs.current(node.nodeId()).orElse(null);
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
}
