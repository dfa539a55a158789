package org.berth.event.service;

import java.util.List;
import org.berth.access.Caller;
import org.berth.event.store.StoredEvent;

/**
 * One client of the stream, as the feed sees it. The feed calls {@link #deliver} from one thread at a time; none of the
 * methods may block.
 */
public interface EventClient {
    /** Whose stream it is; a seat hears of its own rig only. */
    Caller caller();

    /** The last id that it was given, or passed over; it is given those above. */
    long position();

    /** Whether it takes more now. One that does not asks the feed again once it does. */
    boolean ready();

    /** In order; {@code position} is the new position, also when its filter leaves nothing of the page. */
    void deliver(List<Event> page, long position);

    /** A sign of life, and the time to give up on a connection that took nothing for too long. */
    void beat();

    /** The stream's end. */
    void end();

    /** An event as the wire shows it. {@code data} is a JSON object. */
    record Event(long id, String type, String data, String at) {
        static Event of(StoredEvent stored) {
            return new Event(
                    stored.eventId(),
                    stored.type(),
                    stored.payload(),
                    stored.occurredAt().toString());
        }
    }
}
