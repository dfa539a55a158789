package org.berth.preparer.service;

import java.util.List;
import org.berth.placement.Evidence;

/**
 * What the preparers' cleanup of an attempt came to.
 *
 * @param recorded the rows that this call recorded, in their order; a failure that was recorded before is not repeated
 * @param settled whether no plan waits for a cleanup any more
 */
public record CleanupOutcome(List<Evidence> recorded, boolean settled) {
    public CleanupOutcome {
        recorded = List.copyOf(recorded);
    }
}
