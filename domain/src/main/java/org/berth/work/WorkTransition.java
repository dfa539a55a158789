package org.berth.work;

import java.time.Instant;

/**
 * One line of an item's history; never changed.
 *
 * @param sequence from 1
 * @param from null for the creation
 * @param to the state after it
 * @param note null for none
 */
public record WorkTransition(
        String qitemId,
        int sequence,
        WorkAction action,
        WorkState from,
        WorkState to,
        Actor actor,
        ClosureReason closureReason,
        String closureTarget,
        String note,
        Instant at) {}
