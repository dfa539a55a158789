package org.berth.event.store;

import java.time.Instant;
import java.util.List;

/**
 * One event as clients see it.
 *
 * @param eventId rises with each event; ids of rolled back transactions are missing
 * @param rigs names of the rigs that it concerns
 * @param payload a JSON object
 */
public record StoredEvent(long eventId, String type, List<String> rigs, String payload, Instant occurredAt) {
    public StoredEvent {
        rigs = List.copyOf(rigs);
    }
}
