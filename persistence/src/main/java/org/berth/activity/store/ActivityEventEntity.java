package org.berth.activity.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Locale;
import org.berth.activity.ActivityEvent;
import org.berth.activity.ActivityState;

/** The row of one recorded hook post; never changed. Written by {@link ActivityEventRepository#append}. */
@Entity
@Table(name = "activity_events")
class ActivityEventEntity {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Column(name = "event_id")
    long eventId;

    @Column(name = "node_id")
    String nodeId;

    @Column(name = "seat")
    String seat;

    @Column(name = "generation")
    String generation;

    @Column(name = "runtime")
    String runtime;

    @Column(name = "hook_event")
    String hookEvent;

    @Column(name = "subtype")
    String subtype;

    @Column(name = "native_session")
    String nativeSession;

    @Column(name = "state")
    String state;

    @Column(name = "occurred_at")
    Instant occurredAt;

    @Column(name = "received_at")
    Instant receivedAt;

    @Column(name = "grant_id")
    String grantId;

    protected ActivityEventEntity() {}

    ActivityEvent toEvent() {
        return new ActivityEvent(
                eventId,
                nodeId,
                seat,
                generation,
                runtime,
                hookEvent,
                subtype,
                nativeSession,
                state == null ? null : ActivityState.valueOf(state.toUpperCase(Locale.ROOT)),
                occurredAt,
                receivedAt,
                grantId);
    }
}
