package org.berth.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.berth.problem.ProblemCode;
import org.berth.work.WorkLifecycle.Move;
import org.berth.work.WorkLifecycle.Party;
import org.junit.jupiter.api.Test;

class WorkLifecycleTest {
    private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
    private static final List<WorkAction> CHANGES =
            List.of(WorkAction.CLAIM, WorkAction.UNCLAIM, WorkAction.UPDATE, WorkAction.REOPEN, WorkAction.HANDOFF);

    @Test
    void everyListedMoveIsAllowedToItsPartiesAndToNoOther() {
        for (Move move : WorkLifecycle.MOVES) {
            for (Party party : Party.values()) {
                WorkDecision decision =
                        WorkLifecycle.decide(item(move.from()), actor(party), change(move.action(), move.to()), NOW);
                if (move.by().contains(party)) {
                    assertThat(decision).as(move + " by " + party).isInstanceOf(WorkDecision.Apply.class);
                    WorkDecision.Apply apply = (WorkDecision.Apply) decision;
                    assertThat(apply.item().state()).isEqualTo(move.to());
                    assertThat(apply.item().closedAt()).isEqualTo(move.to().isOpen() ? null : NOW);
                    assertThat(apply.transition().from()).isEqualTo(move.from());
                    assertThat(apply.transition().to()).isEqualTo(move.to());
                    assertThat(apply.transition().action()).isEqualTo(move.action());
                    assertThat(apply.transition().sequence()).isEqualTo(4);
                } else {
                    refused(decision, ProblemCode.WORK_OWNER_MISMATCH);
                }
            }
        }
    }

    @Test
    void everyUnlistedChangeIsRefusedToEverybody() {
        int refused = 0;
        for (WorkState from : WorkState.values()) {
            for (WorkAction action : CHANGES) {
                for (WorkState to : WorkState.values()) {
                    boolean listed = WorkLifecycle.MOVES.stream()
                            .anyMatch(move -> move.from() == from && move.action() == action && move.to() == to);
                    if (!listed && (from != to || action == WorkAction.REOPEN)) {
                        for (Party party : Party.values()) {
                            refused(
                                    WorkLifecycle.decide(item(from), actor(party), change(action, to), NOW),
                                    ProblemCode.WORK_TRANSITION_REFUSED);
                            refused++;
                        }
                    }
                }
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void noMoveIsListedTwice() {
        List<String> moves = new ArrayList<>();
        WorkLifecycle.MOVES.forEach(move -> moves.add(move.from() + " " + move.action() + " " + move.to()));
        assertThat(moves).doesNotHaveDuplicates();
    }

    @Test
    void aNoteChangesNothingInAnyStateWhoeverWritesIt() {
        for (WorkState state : WorkState.values()) {
            for (Party party : Party.values()) {
                for (WorkChange change : List.of(
                        WorkChange.note("seen"), new WorkChange(WorkAction.UPDATE, state, null, null, "seen"))) {
                    WorkItem before = item(state);
                    WorkDecision decision = WorkLifecycle.decide(before, actor(party), change, NOW);
                    assertThat(decision).isInstanceOf(WorkDecision.Apply.class);
                    WorkDecision.Apply apply = (WorkDecision.Apply) decision;
                    assertThat(apply.item().selection()).isEqualTo(before.selection());
                    assertThat(apply.item().closedAt()).isEqualTo(before.closedAt());
                    assertThat(apply.item().claimedBy()).isEqualTo(before.claimedBy());
                    assertThat(apply.transition().action()).isEqualTo(WorkAction.NOTE);
                }
            }
        }
    }

    @Test
    void theSameAgainIsAlreadySoForItsOwner() {
        Actor owner = actor(Party.DESTINATION);
        assertThat(WorkLifecycle.decide(item(WorkState.IN_PROGRESS), owner, WorkChange.claim(null), NOW))
                .isInstanceOf(WorkDecision.Already.class);
        assertThat(WorkLifecycle.decide(item(WorkState.PENDING), owner, WorkChange.unclaim(null), NOW))
                .isInstanceOf(WorkDecision.Already.class);
        refused(
                WorkLifecycle.decide(item(WorkState.IN_PROGRESS), actor(Party.OTHER), WorkChange.claim(null), NOW),
                ProblemCode.WORK_OWNER_MISMATCH);
    }

    @Test
    void aClosureIsNotRewritten() {
        WorkChange other =
                new WorkChange(WorkAction.UPDATE, WorkState.DONE, ClosureReason.ESCALATION, "lead@team", null);
        refused(
                WorkLifecycle.decide(item(WorkState.DONE), actor(Party.DESTINATION), other, NOW),
                ProblemCode.WORK_TRANSITION_REFUSED);
    }

    @Test
    void doneNeedsAReasonAndSomeReasonsNeedATarget() {
        Actor owner = actor(Party.DESTINATION);
        WorkItem item = item(WorkState.IN_PROGRESS);
        refused(
                WorkLifecycle.decide(
                        item, owner, new WorkChange(WorkAction.UPDATE, WorkState.DONE, null, null, null), NOW),
                ProblemCode.WORK_CLOSURE_REQUIRED);
        for (ClosureReason reason : ClosureReason.values()) {
            WorkDecision bare = WorkLifecycle.decide(
                    item, owner, new WorkChange(WorkAction.UPDATE, WorkState.DONE, reason, null, null), NOW);
            if (reason.needsTarget()) {
                refused(bare, ProblemCode.WORK_CLOSURE_REQUIRED);
            } else {
                assertThat(((WorkDecision.Apply) bare).item().closureReason()).isEqualTo(reason);
            }
        }
    }

    @Test
    void deniedAndCanceledNameTheirOwnReasonAndFailedNone() {
        assertThat(closed(WorkState.DENIED).closureReason()).isEqualTo(ClosureReason.DENIED);
        assertThat(closed(WorkState.CANCELED).closureReason()).isEqualTo(ClosureReason.CANCELED);
        assertThat(closed(WorkState.FAILED).closureReason()).isNull();
    }

    @Test
    void openWorkCarriesNoReasonButWhatItIsBlockedOn() {
        Actor owner = actor(Party.DESTINATION);
        refused(
                WorkLifecycle.decide(
                        item(WorkState.PENDING),
                        owner,
                        new WorkChange(WorkAction.UPDATE, WorkState.BLOCKED, ClosureReason.DENIED, null, null),
                        NOW),
                ProblemCode.INVALID);
        WorkDecision blocked = WorkLifecycle.decide(
                item(WorkState.PENDING),
                owner,
                new WorkChange(WorkAction.UPDATE, WorkState.BLOCKED, ClosureReason.BLOCKED_ON, "x@team", null),
                NOW);
        assertThat(((WorkDecision.Apply) blocked).item().closureTarget()).isEqualTo("x@team");
    }

    private static WorkItem closed(WorkState state) {
        WorkDecision decision = WorkLifecycle.decide(
                item(WorkState.PENDING),
                actor(Party.DESTINATION),
                new WorkChange(WorkAction.UPDATE, state, null, null, null),
                NOW);
        return ((WorkDecision.Apply) decision).item();
    }

    private static void refused(WorkDecision decision, ProblemCode code) {
        assertThat(decision).isInstanceOf(WorkDecision.Refuse.class);
        assertThat(((WorkDecision.Refuse) decision).code()).isEqualTo(code);
    }

    private static WorkChange change(WorkAction action, WorkState to) {
        boolean done = to == WorkState.DONE;
        return new WorkChange(action, to, done ? ClosureReason.NO_FOLLOW_ON : null, null, null);
    }

    private static Actor actor(Party party) {
        String member = switch (party) {
            case DESTINATION -> "worker";
            case SOURCE -> "coordinator";
            case OTHER -> "observer";
        };
        return new Actor(member + "@team", Actor.DECLARED, null);
    }

    private static WorkItem item(WorkState state) {
        return new WorkItem(
                "task-one",
                "coordinator@team",
                "worker@team",
                "Produce the report",
                WorkPriority.ROUTINE,
                List.of(),
                false,
                state,
                state == WorkState.DONE ? ClosureReason.NO_FOLLOW_ON : null,
                null,
                state == WorkState.IN_PROGRESS ? "worker@team" : null,
                null,
                BEFORE,
                BEFORE,
                state.isOpen() ? null : BEFORE,
                3);
    }
}
