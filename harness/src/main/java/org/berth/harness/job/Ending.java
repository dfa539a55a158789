package org.berth.harness.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An end that comes once. Those who wait for it can leave again, so that many short waits on a long job leave nothing
 * behind.
 */
public final class Ending<E> {
    private final Map<Object, Consumer<? super E>> listeners = new LinkedHashMap<>();
    private E end;

    /** Settles the end and tells it to all who hear, on this thread; false when it was settled before. */
    public boolean settle(E with) {
        Objects.requireNonNull(with);
        List<Consumer<? super E>> told;
        synchronized (this) {
            if (end != null) {
                return false;
            }
            end = with;
            told = new ArrayList<>(listeners.values());
            listeners.clear();
        }
        told.forEach(listener -> listener.accept(with));
        return true;
    }

    /** The end, once it is there. */
    public synchronized Optional<E> end() {
        return Optional.ofNullable(end);
    }

    /** Tells the end to {@code listener} once, at once when it is there. Running what is returned leaves again. */
    public Runnable hear(Consumer<? super E> listener) {
        Object key = new Object();
        synchronized (this) {
            if (end == null) {
                listeners.put(key, listener);
                return () -> leave(key);
            }
        }
        listener.accept(end);
        return () -> {};
    }

    /** How many hear, and have not left. */
    synchronized int listeners() {
        return listeners.size();
    }

    private synchronized void leave(Object key) {
        listeners.remove(key);
    }
}
