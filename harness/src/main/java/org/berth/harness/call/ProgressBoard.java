package org.berth.harness.call;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.output.Truncation;

/**
 * The progress of a session's running calls, in memory: lost in a crash, and never journaled. A call is on it from its start
 * until its settle is committed, so that a settle that failed and the abort after it read the same progress.
 *
 * <p>One lock orders everything, so that an observer's snapshot and the changes after it fit together. Observers are told
 * under that lock: they hand events on and never wait; one that throws is told nothing more.
 */
public final class ProgressBoard {
    private static final System.Logger LOG = System.getLogger(ProgressBoard.class.getName());

    /** One call on the board. */
    static final class Entry {
        private final CallStart start;
        private final OutputBuffer output;
        private final List<String> warnings = new ArrayList<>();
        private Usage usage = Usage.NONE;
        private boolean shown;
        private boolean closed;

        private Entry(CallStart start, Truncation truncation) {
            this.start = start;
            this.output = new OutputBuffer(truncation);
        }

        private CallProgress progress() {
            return new CallProgress(start.callId(), start.tool(), output.view(), warnings, usage);
        }

        private void add(CallChange change) {
            switch (change) {
                case CallChange.Wrote wrote -> output.append(wrote.bytes());
                case CallChange.Warned warned -> warnings.add(warned.warning());
                case CallChange.Used used -> usage = usage.plus(used.usage());
            }
        }
    }

    /** By identity: two registrations of one consumer are two observers. */
    private record Observer(Consumer<? super BoardEvent> told, Object identity) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<Observer> observers = new LinkedHashSet<>();

    /** Tells {@code observer} the running calls and then every change, until what is returned is run. */
    public synchronized Runnable watch(Consumer<? super BoardEvent> observer) {
        Observer added = new Observer(observer, new Object());
        observer.accept(new BoardEvent.Running(entries.values().stream()
                .filter(entry -> entry.shown)
                .map(Entry::progress)
                .toList()));
        observers.add(added);
        return () -> leave(added);
    }

    private synchronized void leave(Observer observer) {
        observers.remove(observer);
    }

    /**
     * Takes a place for a call whose start is not recorded yet, which nobody sees.
     *
     * @throws IllegalArgumentException when a call with this id has one
     */
    synchronized Entry reserve(CallStart start, Truncation truncation) {
        Entry entry = new Entry(start, truncation);
        if (entries.putIfAbsent(start.callId(), entry) != null) {
            throw new IllegalArgumentException("a call with the id " + start.callId() + " is running");
        }
        return entry;
    }

    /** The start is recorded. */
    synchronized void show(Entry entry) {
        entry.shown = true;
        tell(new BoardEvent.Started(entry.start.callId(), entry.start.tool()));
    }

    /** The start could not be recorded. */
    synchronized void discard(Entry entry) {
        entries.remove(entry.start.callId());
    }

    /** Takes a report; one that comes after the end is ignored. */
    synchronized void report(Entry entry, CallChange change) {
        if (!entry.closed) {
            entry.add(change);
            tell(new BoardEvent.Changed(entry.start.callId(), change));
        }
    }

    /** Takes no more reports of the call; returns all that it reported, the same at every call. */
    synchronized CallProgress close(Entry entry) {
        entry.closed = true;
        entry.output.end();
        return entry.progress();
    }

    /** The call's settle is committed. */
    synchronized void remove(Entry entry) {
        entries.remove(entry.start.callId());
        tell(new BoardEvent.Ended(entry.start.callId()));
    }

    private void tell(BoardEvent event) {
        observers.removeIf(observer -> {
            try {
                observer.told.accept(event);
                return false;
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "an observer of the calls failed and is told nothing more", e);
                return true;
            }
        });
    }
}
