package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.hibernate.Length;

/** The row of one preparer's plan; only its phase changes. */
@Entity
@Table(name = "preparer_states")
@IdClass(PreparerStateEntity.Key.class)
class PreparerStateEntity {
    /** A plan's place among those of its attempt. */
    record Key(String attemptId, int position) implements Serializable {}

    @Id
    @Column(name = "attempt_id")
    String attemptId;

    @Id
    @Column(name = "position")
    int position;

    @Column(name = "preparer", updatable = false)
    String preparer;

    @Column(name = "binding", updatable = false)
    String binding;

    @Column(name = "state_json", updatable = false, length = Length.LONG32)
    String stateJson;

    @Column(name = "phase")
    String phase;

    @Column(name = "reason")
    String reason;

    @Column(name = "updated_at")
    Instant updatedAt;

    protected PreparerStateEntity() {}

    static PreparerStateEntity of(String attemptId, int position, PreparerPlan plan, Instant now) {
        PreparerStateEntity row = new PreparerStateEntity();
        row.attemptId = attemptId;
        row.position = position;
        row.preparer = plan.preparer();
        row.binding = plan.binding();
        row.stateJson = plan.stateJson();
        row.phase = StoredValues.name(PreparerPhase.PLANNED);
        row.updatedAt = StoredValues.micros(now);
        return row;
    }

    /** Whether both are of the same plan. */
    boolean isOf(PreparerStateEntity other) {
        return preparer.equals(other.preparer) && binding.equals(other.binding) && stateJson.equals(other.stateJson);
    }

    PreparerState toState() {
        return new PreparerState(
                attemptId,
                position,
                new PreparerPlan(preparer, binding, StoredValues.map(stateJson)),
                StoredValues.constant(PreparerPhase.class, phase),
                reason,
                updatedAt);
    }
}
