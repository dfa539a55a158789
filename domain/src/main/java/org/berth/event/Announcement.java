package org.berth.event;

import java.util.List;
import java.util.Map;

/**
 * Something that happened, for whoever listens.
 *
 * @param type dotted lower-case words, for example {@code queue.created}; at most 64 characters
 * @param rigs names of the rigs that it concerns; a seat hears of its own rig only, an operator of all
 * @param data a JSON object of at most 64 KiB, without secrets and without bodies of work
 */
public record Announcement(String type, List<String> rigs, Map<String, Object> data) {
    public Announcement {
        rigs = List.copyOf(rigs);
    }
}
