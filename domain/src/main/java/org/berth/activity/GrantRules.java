package org.berth.activity;

import java.util.Optional;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.GenerationState;

/** What an activity grant lets its holder post. Source: environments.md, Two credentials; the reference's refusals. */
public final class GrantRules {
    private GrantRules() {}

    /**
     * Who presented a token that is no install-wide one: its grant, as it is stored now.
     *
     * @throws BerthException ACTIVITY_GRANT_UNKNOWN for empty, ACTIVITY_GRANT_REVOKED
     */
    public static ActivityGrant authenticate(Optional<ActivityGrant> found) {
        ActivityGrant grant = found.orElseThrow(GrantRules::unknown);
        if (!grant.holds()) {
            throw new BerthException(ProblemCode.ACTIVITY_GRANT_REVOKED, "the activity grant was revoked");
        }
        return grant;
    }

    /** The refusal of a missing, malformed or unknown token; its text is the reference's. */
    public static BerthException unknown() {
        return new BerthException(ProblemCode.ACTIVITY_GRANT_UNKNOWN, "unauthorized");
    }

    /**
     * Whether {@code post} may be recorded under {@code grant}, which holds.
     *
     * @param seat the present address of the grant's node; null when the node is gone
     * @param state of the grant's generation
     * @throws BerthException ACTIVITY_GRANT_WRONG_SEAT, ACTIVITY_GRANT_STALE or ACTIVITY_GRANT_PENDING, in this order
     */
    public static void permit(ActivityGrant grant, HookPost post, String seat, GenerationState state) {
        if (post.nodeId() != null && !post.nodeId().equals(grant.nodeId())
                || post.sessionName() != null && !post.sessionName().equals(seat)) {
            throw new BerthException(ProblemCode.ACTIVITY_GRANT_WRONG_SEAT, "the activity grant is another seat's");
        }
        if (seat == null || post.generation() != null && !post.generation().equals(grant.generation())) {
            throw stale();
        }
        switch (state) {
            case CURRENT -> {}
            case STALE -> throw stale();
            case PENDING ->
                throw new BerthException(
                        ProblemCode.ACTIVITY_GRANT_PENDING, "the launch of the activity grant is not registered yet");
        }
    }

    private static BerthException stale() {
        return new BerthException(ProblemCode.ACTIVITY_GRANT_STALE, "the activity grant's generation was replaced");
    }
}
