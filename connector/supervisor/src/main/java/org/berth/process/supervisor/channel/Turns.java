package org.berth.process.supervisor.channel;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Lets one change of a channel end before the next one of it begins. Runs on the loop. */
final class Turns {
    private final Map<String, ArrayDeque<Consumer<Runnable>>> waiting = new HashMap<>();

    /** Runs {@code change} now or later; it calls what it is given once it has ended. */
    void take(String channelId, Consumer<Runnable> change) {
        ArrayDeque<Consumer<Runnable>> line = waiting.get(channelId);
        if (line != null) {
            line.add(change);
            return;
        }
        waiting.put(channelId, new ArrayDeque<>());
        change.accept(() -> next(channelId));
    }

    /** No change is under way. */
    boolean idle() {
        return waiting.isEmpty();
    }

    private void next(String channelId) {
        Consumer<Runnable> change = waiting.get(channelId).poll();
        if (change == null) {
            waiting.remove(channelId);
        } else {
            change.accept(() -> next(channelId));
        }
    }
}
