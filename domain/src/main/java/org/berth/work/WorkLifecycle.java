package org.berth.work;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.berth.problem.ProblemCode;

/**
 * The rules of the queue. What is in {@link #MOVES} is allowed to whom it says, everything else is refused; a note is
 * allowed to everybody and changes nothing. Source: environments.md, Work queue; the reference's tests of settled work.
 */
public final class WorkLifecycle {
    /** How a seat stands to an item. */
    public enum Party {
        DESTINATION,
        SOURCE,
        OTHER
    }

    /** One allowed change. */
    public record Move(WorkState from, WorkAction action, WorkState to, Set<Party> by) {
        public Move {
            by = Set.copyOf(by);
        }
    }

    private static final Set<WorkState> OPEN = EnumSet.of(WorkState.PENDING, WorkState.IN_PROGRESS, WorkState.BLOCKED);

    /** Every allowed change of state. */
    public static final List<Move> MOVES = moves();

    private WorkLifecycle() {}

    private static List<Move> moves() {
        Set<Party> owner = Set.of(Party.DESTINATION);
        Set<Party> both = Set.of(Party.DESTINATION, Party.SOURCE);
        List<Move> moves = new ArrayList<>();
        moves.add(new Move(WorkState.PENDING, WorkAction.CLAIM, WorkState.IN_PROGRESS, owner));
        moves.add(new Move(WorkState.IN_PROGRESS, WorkAction.UNCLAIM, WorkState.PENDING, owner));
        for (WorkState from : OPEN) {
            for (WorkState to : OPEN) {
                if (from != to) {
                    moves.add(new Move(from, WorkAction.UPDATE, to, owner));
                }
            }
            moves.add(new Move(from, WorkAction.UPDATE, WorkState.DONE, owner));
            moves.add(new Move(from, WorkAction.UPDATE, WorkState.FAILED, owner));
            moves.add(new Move(from, WorkAction.UPDATE, WorkState.DENIED, owner));
            moves.add(new Move(from, WorkAction.UPDATE, WorkState.CANCELED, both));
            moves.add(new Move(from, WorkAction.HANDOFF, WorkState.HANDED_OFF, owner));
        }
        // Work that was handed off goes on in its successor.
        for (WorkState from : EnumSet.of(WorkState.DONE, WorkState.FAILED, WorkState.DENIED, WorkState.CANCELED)) {
            moves.add(new Move(from, WorkAction.REOPEN, WorkState.PENDING, both));
            moves.add(new Move(from, WorkAction.REOPEN, WorkState.IN_PROGRESS, owner));
        }
        return List.copyOf(moves);
    }

    /** How {@code session} stands to {@code item}; who assigned work to itself is its destination. */
    public static Party party(WorkItem item, String session) {
        if (session.equals(item.destinationSession())) {
            return Party.DESTINATION;
        }
        return session.equals(item.sourceSession()) ? Party.SOURCE : Party.OTHER;
    }

    /** What {@code change} by {@code actor} makes of {@code item}. */
    public static WorkDecision decide(WorkItem item, Actor actor, WorkChange change, Instant now) {
        Party party = party(item, actor.session());
        if (change.to() == null || same(item, change)) {
            boolean open = change.action() == WorkAction.NOTE || change.action() == WorkAction.UPDATE;
            if (!open && party != Party.DESTINATION) {
                return mismatch(item, actor);
            }
            return change.note() == null ? new WorkDecision.Already(item) : noted(item, actor, change, now);
        }
        Move move = null;
        for (Move each : MOVES) {
            if (each.from() == item.state() && each.action() == change.action() && each.to() == change.to()) {
                move = each;
            }
        }
        if (move == null) {
            return new WorkDecision.Refuse(
                    ProblemCode.WORK_TRANSITION_REFUSED,
                    "The item is " + item.state().wire() + ": "
                            + change.action().wire() + " to " + change.to().wire() + " is not possible.");
        }
        if (!move.by().contains(party)) {
            return mismatch(item, actor);
        }
        WorkDecision.Refuse unclear = closure(change);
        if (unclear != null) {
            return unclear;
        }
        WorkChange complete = completed(change);
        WorkItem after = item.after(complete, actor, now);
        return new WorkDecision.Apply(after, transition(item, after, actor, complete, now));
    }

    private static WorkDecision.Refuse mismatch(WorkItem item, Actor actor) {
        return new WorkDecision.Refuse(
                ProblemCode.WORK_OWNER_MISMATCH,
                actor.session() + " may add a note to this item and no more; its owner is " + item.destinationSession()
                        + ".");
    }

    /** A state that holds already; a closed item holds its closure too. */
    private static boolean same(WorkItem item, WorkChange change) {
        return change.to() == item.state()
                && change.action() != WorkAction.REOPEN
                && (change.reason() == null || change.reason() == item.closureReason())
                && (change.target() == null || change.target().equals(item.closureTarget()));
    }

    private static WorkDecision noted(WorkItem item, Actor actor, WorkChange change, Instant now) {
        WorkItem after = item.noted(now);
        WorkChange note = new WorkChange(WorkAction.NOTE, item.state(), null, null, change.note());
        return new WorkDecision.Apply(after, transition(item, after, actor, note, now));
    }

    private static WorkDecision.Refuse closure(WorkChange change) {
        if (change.to() == WorkState.DONE && change.reason() == null) {
            return new WorkDecision.Refuse(
                    ProblemCode.WORK_CLOSURE_REQUIRED, "Work that is done needs a closureReason.");
        }
        if (change.reason() != null && change.reason().needsTarget() && change.target() == null) {
            return new WorkDecision.Refuse(
                    ProblemCode.WORK_CLOSURE_REQUIRED,
                    "The closureReason " + change.reason().wire() + " needs a closureTarget.");
        }
        if (change.to().isOpen()
                && change.reason() != null
                && !(change.to() == WorkState.BLOCKED && change.reason() == ClosureReason.BLOCKED_ON)) {
            return new WorkDecision.Refuse(ProblemCode.INVALID, "closureReason goes with a state that closes.");
        }
        return null;
    }

    private static WorkChange completed(WorkChange change) {
        ClosureReason implied = switch (change.to()) {
            case DENIED -> ClosureReason.DENIED;
            case CANCELED -> ClosureReason.CANCELED;
            case HANDED_OFF -> ClosureReason.HANDED_OFF_TO;
            case PENDING, IN_PROGRESS, BLOCKED, DONE, FAILED -> null;
        };
        return new WorkChange(
                change.action(),
                change.to(),
                change.reason() == null ? implied : change.reason(),
                change.target(),
                change.note());
    }

    private static WorkTransition transition(
            WorkItem before, WorkItem after, Actor actor, WorkChange change, Instant now) {
        return new WorkTransition(
                before.qitemId(),
                after.transitionCount(),
                change.action(),
                before.state(),
                after.state(),
                actor,
                change.reason(),
                change.target(),
                change.note(),
                now);
    }
}
