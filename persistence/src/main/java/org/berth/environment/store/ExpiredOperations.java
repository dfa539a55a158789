package org.berth.environment.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.placement.store.StoredValues;

/** Operations that are over, and their removal. Needs the caller's transaction. */
@ApplicationScoped
public class ExpiredOperations {
    private static final List<String> OVER = List.of(OperationState.CONFIRMED.wire(), OperationState.REFUSED.wire());

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ExpiredOperations() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ExpiredOperations(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * An operation that is over.
     *
     * @param incarnation of the binding that it was made under
     * @param changedAt its last change
     */
    public record Over(EnvironmentOperation operation, String incarnation, Instant changedAt) {}

    /**
     * In the order of their last change, unchanged since {@code before}.
     *
     * @param after the last one of the page before; null for the first page
     */
    public List<Over> page(Instant before, Over after, int limit) {
        String beyond = after == null ? "" : " and (o.updatedAt > :at or (o.updatedAt = :at and o.operationId > :id))";
        TypedQuery<OperationEntity> query = entities.createQuery(
                        "select o from OperationEntity o where o.state in (:over) and o.updatedAt < :before" + beyond
                                + " order by o.updatedAt, o.operationId",
                        OperationEntity.class)
                .setParameter("over", OVER)
                .setParameter("before", StoredValues.micros(before));
        if (after != null) {
            query.setParameter("at", after.changedAt())
                    .setParameter("id", after.operation().operationId());
        }
        return query.setMaxResults(limit).getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return new Over(row.toOperation(), row.incarnation, row.updatedAt);
                })
                .toList();
    }

    /** Every operation of any binding that is not over. */
    public List<EnvironmentOperation> open() {
        return operations(entities.createQuery(
                        "select o from OperationEntity o where o.state not in (:over)", OperationEntity.class)
                .setParameter("over", OVER));
    }

    /** Every confirmed operation of one kind, of any binding. */
    public List<EnvironmentOperation> confirmed(OperationKind kind) {
        return operations(entities.createQuery(
                        "select o from OperationEntity o where o.state = :state and o.kind = :kind",
                        OperationEntity.class)
                .setParameter("state", OperationState.CONFIRMED.wire())
                .setParameter("kind", kind.wire()));
    }

    /** Removes what is over of {@code operationIds}; the ids stay used. @return how many */
    public int remove(Collection<String> operationIds, Instant at) {
        if (operationIds.isEmpty()) {
            return 0;
        }
        entities.createNativeQuery("insert into environment_spent_operations (operation_id, binding_id, kind, spent_at)"
                        + " select operation_id, binding_id, kind, cast(:at as timestamp with time zone) from environment_operations"
                        + " where operation_id in (:ids) and state in (:over)")
                .setParameter("at", StoredValues.micros(at))
                .setParameter("ids", operationIds)
                .setParameter("over", OVER)
                .executeUpdate();
        return entities.createQuery(
                        "delete from OperationEntity o where o.operationId in (:ids) and o.state in (:over)")
                .setParameter("ids", operationIds)
                .setParameter("over", OVER)
                .executeUpdate();
    }

    private List<EnvironmentOperation> operations(TypedQuery<OperationEntity> query) {
        return query.getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toOperation();
                })
                .toList();
    }
}
