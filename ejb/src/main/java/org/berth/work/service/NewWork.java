package org.berth.work.service;

import java.util.List;
import org.berth.work.WorkPriority;

/**
 * What a seat asks another to do.
 *
 * @param qitemId the caller's id, which makes a repeat harmless; null for a new one
 * @param destinationSession the seat that is to do it
 * @param nudge whether the destination is to be told at once
 */
public record NewWork(
        String qitemId,
        String destinationSession,
        String body,
        WorkPriority priority,
        List<String> tags,
        boolean nudge) {
    public NewWork {
        tags = List.copyOf(tags);
    }
}
