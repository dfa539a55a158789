package org.berth.work.service;

import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;
import org.berth.work.store.WorkFilter;

/**
 * Which items a page shows; null leaves a condition out.
 *
 * @param session source or destination
 * @param after the last item's id of the page before
 * @param limit at least 1
 */
public record QueueQuery(
        String destination,
        String source,
        String session,
        String rig,
        WorkState state,
        WorkPriority priority,
        boolean openOnly,
        String after,
        int limit) {
    WorkFilter filter(WorkItem last) {
        return new WorkFilter(destination, source, session, rig, state, priority, openOnly, last, limit);
    }
}
