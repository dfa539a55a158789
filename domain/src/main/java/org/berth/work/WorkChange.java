package org.berth.work;

/**
 * What a seat asks of an item.
 *
 * @param to the wanted state; null for a note alone
 * @param reason null for none
 * @param target the seat or item that the reason points to; null for none
 * @param note null for none
 */
public record WorkChange(WorkAction action, WorkState to, ClosureReason reason, String target, String note) {
    public static WorkChange claim(String note) {
        return new WorkChange(WorkAction.CLAIM, WorkState.IN_PROGRESS, null, null, note);
    }

    public static WorkChange unclaim(String note) {
        return new WorkChange(WorkAction.UNCLAIM, WorkState.PENDING, null, null, note);
    }

    public static WorkChange note(String note) {
        return new WorkChange(WorkAction.NOTE, null, null, null, note);
    }

    public static WorkChange handoff(String target, String note) {
        return new WorkChange(WorkAction.HANDOFF, WorkState.HANDED_OFF, ClosureReason.HANDED_OFF_TO, target, note);
    }
}
