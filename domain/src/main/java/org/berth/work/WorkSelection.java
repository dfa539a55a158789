package org.berth.work;

/** What other features need to know of a work item. {@code closureReason} is null while it is open. */
public record WorkSelection(
        String qitemId, String sourceSession, String destinationSession, String state, String closureReason) {}
