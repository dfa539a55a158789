package org.berth.harness.service;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What the clients of one session hear, in order. One lock orders a client's snapshot and the changes after it; clients hand
 * on and never wait.
 */
final class SessionFeed {
    private static final Logger LOG = Logger.getLogger(SessionFeed.class.getName());

    private final Set<BiConsumer<String, Map<String, Object>>> clients = new LinkedHashSet<>();

    /** Tells {@code client} the snapshot and then every event, until what is returned is run. */
    synchronized Runnable join(BiConsumer<String, Map<String, Object>> client, Supplier<Map<String, Object>> snapshot) {
        client.accept("snapshot", snapshot.get());
        clients.add(client);
        return () -> leave(client);
    }

    private synchronized void leave(BiConsumer<String, Map<String, Object>> client) {
        clients.remove(client);
    }

    synchronized void tell(String event, Map<String, Object> data) {
        clients.removeIf(client -> {
            try {
                client.accept(event, data);
                return false;
            } catch (RuntimeException e) {
                LOG.log(Level.FINE, "a client of a session's events is gone", e);
                return true;
            }
        });
    }
}
