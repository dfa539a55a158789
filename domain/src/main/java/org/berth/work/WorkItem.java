package org.berth.work;

import java.time.Instant;
import java.util.List;

/**
 * One row of the queue.
 *
 * @param sourceSession the assigning seat
 * @param destinationSession the seat that owns the work
 * @param body 1 to {@value #MAX_BODY} characters
 * @param tags at most {@value #MAX_TAGS}
 * @param nudge whether the destination is to be told at once
 * @param closureReason null while open, and for a failure without one
 * @param closureTarget the seat or item that the reason points to; null for none
 * @param claimedBy the seat that works on it; null while nobody does
 * @param handedOffFrom the item whose work this one goes on with; null for none
 * @param closedAt null while open
 * @param transitionCount how many transitions it has
 */
public record WorkItem(
        String qitemId,
        String sourceSession,
        String destinationSession,
        String body,
        WorkPriority priority,
        List<String> tags,
        boolean nudge,
        WorkState state,
        ClosureReason closureReason,
        String closureTarget,
        String claimedBy,
        String handedOffFrom,
        Instant createdAt,
        Instant updatedAt,
        Instant closedAt,
        int transitionCount) {
    /** Bound of a body: {@value} characters. */
    public static final int MAX_BODY = 65_536;

    /** Bound of a caller's note: {@value} characters. */
    public static final int MAX_NOTE = 16_384;

    /** Bound of the tags of an item: {@value}. */
    public static final int MAX_TAGS = 32;

    public WorkItem {
        tags = List.copyOf(tags);
    }

    /** Whether {@code other} was created by the same request. */
    public boolean sameRequest(WorkItem other) {
        return sourceSession.equals(other.sourceSession)
                && destinationSession.equals(other.destinationSession)
                && body.equals(other.body)
                && priority == other.priority
                && tags.equals(other.tags)
                && nudge == other.nudge;
    }

    public WorkSelection selection() {
        return new WorkSelection(
                qitemId,
                sourceSession,
                destinationSession,
                state.wire(),
                closureReason == null ? null : closureReason.wire());
    }

    /** As it is after {@code change}, which takes one more transition. */
    WorkItem after(WorkChange change, Actor actor, Instant now) {
        boolean open = change.to().isOpen();
        String claimant = change.to() == WorkState.IN_PROGRESS && claimedBy == null ? actor.session() : claimedBy;
        return new WorkItem(
                qitemId,
                sourceSession,
                destinationSession,
                body,
                priority,
                tags,
                nudge,
                change.to(),
                change.reason(),
                change.target(),
                change.to() == WorkState.PENDING ? null : claimant,
                handedOffFrom,
                createdAt,
                now,
                open ? null : now,
                transitionCount + 1);
    }

    /** As it is after a note. */
    WorkItem noted(Instant now) {
        return new WorkItem(
                qitemId,
                sourceSession,
                destinationSession,
                body,
                priority,
                tags,
                nudge,
                state,
                closureReason,
                closureTarget,
                claimedBy,
                handedOffFrom,
                createdAt,
                now,
                closedAt,
                transitionCount + 1);
    }
}
