package org.berth.environment.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Locale;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.placement.store.StoredValues;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The row of one journalled operation. */
@Entity
@Table(name = "environment_operations")
class OperationEntity {
    @Id
    @Column(name = "operation_id")
    String operationId;

    @Column(name = "binding_id", updatable = false)
    String bindingId;

    @Column(name = "incarnation", updatable = false)
    String incarnation;

    @Column(name = "ordinal", updatable = false)
    long ordinal;

    @Column(name = "kind", updatable = false)
    String kind;

    @Column(name = "request_json")
    String request;

    @Column(name = "effect_id", updatable = false)
    String effectId;

    @Column(name = "state")
    String state;

    @Column(name = "receipt_json")
    String receipt;

    @Column(name = "requested_by", updatable = false)
    String requestedBy;

    @Column(name = "refusal")
    String refusal;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @Column(name = "updated_at")
    Instant updatedAt;

    protected OperationEntity() {}

    static OperationEntity of(EnvironmentOperation operation, String incarnation, long ordinal) {
        OperationEntity row = new OperationEntity();
        row.operationId = operation.operationId();
        row.bindingId = operation.bindingId();
        row.incarnation = incarnation;
        row.ordinal = ordinal;
        row.kind = operation.kind().wire();
        row.request = operation.request();
        row.effectId = operation.effectId();
        row.state = operation.state().wire();
        row.receipt = operation.receipt();
        row.requestedBy = operation.requestedBy();
        row.refusal = operation.refusal();
        row.createdAt = StoredValues.micros(operation.createdAt());
        row.updatedAt = row.createdAt;
        return row;
    }

    EnvironmentOperation toOperation() {
        return new EnvironmentOperation(
                operationId,
                bindingId,
                constant(OperationKind.class, kind),
                request,
                effectId,
                constant(OperationState.class, state),
                receipt,
                requestedBy,
                refusal,
                createdAt);
    }

    /** The constant whose wire name is {@code name}. @throws BerthException STORAGE */
    static <E extends Enum<E>> E constant(Class<E> type, String name) {
        try {
            return Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new BerthException(
                    ProblemCode.STORAGE, "a stored " + type.getSimpleName() + " is unknown to this release", e);
        }
    }
}
