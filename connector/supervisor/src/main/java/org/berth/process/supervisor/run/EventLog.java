package org.berth.process.supervisor.run;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.ProcessEvent;
import org.berth.process.supervisor.journal.Entry;

/** An attempt's events: numbered, journalled, then announced, and kept until the server recorded them. */
final class EventLog {
    private final Services services;
    private final String attemptKey;
    private final String nonce;
    private final Queue<ProcessEvent> unrecorded = new ArrayDeque<>();
    private long numbered;
    private long durable;
    private long recorded;

    EventLog(Services services, String attemptKey, String nonce, long lastEvent, List<ProcessEvent> unrecorded) {
        this.services = services;
        this.attemptKey = attemptKey;
        this.nonce = nonce;
        this.numbered = lastEvent;
        this.durable = lastEvent;
        this.recorded = lastEvent - unrecorded.size();
        this.unrecorded.addAll(unrecorded);
    }

    void add(EvidenceKind kind, Map<String, String> detail) {
        add(kind, detail, null, () -> {});
    }

    /** @param journalled runs once the event is durable, before it is announced */
    void add(EvidenceKind kind, Map<String, String> detail, Exit exit, Runnable journalled) {
        ProcessEvent event = new ProcessEvent(
                attemptKey, nonce, ++numbered, services.clock().instant(), kind, Map.copyOf(detail), exit);
        services.journal().append(new Entry.Occurred(event), () -> {
            durable = event.sequence();
            unrecorded.add(event);
            journalled.run();
            services.publisher().accept(event);
        });
    }

    /** The newest event that is durable; 0 for none. */
    long last() {
        return durable;
    }

    List<ProcessEvent> unrecorded() {
        return List.copyOf(unrecorded);
    }

    void recorded(long sequence) {
        long through = Math.min(sequence, durable);
        if (through > recorded) {
            recorded = through;
            unrecorded.removeIf(event -> event.sequence() <= through);
            services.journal().append(new Entry.Recorded(attemptKey, through));
        }
    }
}
