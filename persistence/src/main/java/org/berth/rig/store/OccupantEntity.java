package org.berth.rig.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.Locale;
import org.berth.rig.GenerationState;
import org.berth.rig.Occupant;

/** The row of one generation of a node. */
@Entity
@Table(name = "occupants")
@IdClass(OccupantEntity.Key.class)
class OccupantEntity {
    /** The primary key, as Jakarta Persistence wants it. */
    record Key(String nodeId, String generation) implements Serializable {}

    @Id
    @Column(name = "node_id")
    String nodeId;

    @Id
    @Column(name = "generation")
    String generation;

    @Column(name = "state")
    String state;

    @Column(name = "session_id")
    String sessionId;

    @Column(name = "native_type")
    String nativeType;

    @Column(name = "native_id")
    String nativeId;

    @Column(name = "reserved_at", updatable = false)
    Instant reservedAt;

    @Column(name = "registered_at")
    Instant registeredAt;

    @Column(name = "replaced_at")
    Instant replacedAt;

    protected OccupantEntity() {}

    void become(GenerationState next) {
        state = wire(next);
    }

    Occupant toOccupant() {
        return new Occupant(
                nodeId,
                generation,
                GenerationState.valueOf(state.toUpperCase(Locale.ROOT)),
                sessionId,
                nativeType,
                nativeId,
                reservedAt,
                registeredAt,
                replacedAt);
    }

    static String wire(GenerationState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
