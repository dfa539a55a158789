package org.berth.work.store;

import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;

/**
 * Which items a page shows; null leaves a condition out.
 *
 * @param session source or destination
 * @param rig rig of source or destination
 * @param openOnly leaves closed items out
 * @param after the last item of the page before
 * @param limit at least 1
 */
public record WorkFilter(
        String destination,
        String source,
        String session,
        String rig,
        WorkState state,
        WorkPriority priority,
        boolean openOnly,
        WorkItem after,
        int limit) {
    /** The same, within {@code wanted} only. */
    public WorkFilter inRig(String wanted) {
        return new WorkFilter(destination, source, session, wanted, state, priority, openOnly, after, limit);
    }
}
