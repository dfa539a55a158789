package org.berth.environment.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.placement.store.StoredValues;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Stores bindings and their journal. Writing and locking methods need the caller's transaction; reading ones do not. Rows
 * are locked in this order: binding, work item, grant.
 */
@ApplicationScoped
public class EnvironmentRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    private final Clock clock = Clock.systemUTC();

    /** For the container, which injects the entity manager. */
    public EnvironmentRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public EnvironmentRepository(EntityManager entities) {
        this.entities = entities;
    }

    public Optional<BindingRecord> find(String bindingId) {
        return first(bindings("where b.bindingId = :id").setParameter("id", bindingId));
    }

    /** Holds the row until the transaction ends. The record is the newest committed one. */
    public Optional<BindingRecord> lock(String bindingId) {
        return Optional.ofNullable(locked(bindingId)).map(BindingEntity::toRecord);
    }

    /** The binding of the node, or of the seat when no node has claimed that one yet. */
    public Optional<BindingRecord> forNode(String nodeId, String seat) {
        return first(bindings("where b.nodeId = :node or (b.nodeId is null and b.seat = :seat)")
                .setParameter("node", nodeId)
                .setParameter("seat", seat));
    }

    /** Whether a binding of another id has the seat or the node. @param nodeId null for none */
    public boolean seatBound(String bindingId, String seat, String nodeId) {
        return !bindings("where b.bindingId <> :id and (b.seat = :seat or b.nodeId = :node)")
                .setParameter("id", bindingId)
                .setParameter("seat", seat)
                .setParameter("node", nodeId == null ? "" : nodeId)
                .setMaxResults(1)
                .getResultList()
                .isEmpty();
    }

    /** Whether a binding of another id holds the placement's name on the host. */
    public boolean nameHeld(String bindingId, String hostId, EnvironmentPlacement placement) {
        return !bindings("where b.bindingId <> :id and b.hostId = :host and b.gateway = :gateway"
                        + " and b.workspace = :workspace and b.heldName = :name")
                .setParameter("id", bindingId)
                .setParameter("host", hostId)
                .setParameter("gateway", placement.gateway())
                .setParameter("workspace", placement.workspace())
                .setParameter("name", placement.name())
                .setMaxResults(1)
                .getResultList()
                .isEmpty();
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when id, seat, node or name is taken */
    public void insert(BindingRecord record) {
        entities.persist(BindingEntity.of(record, clock.instant()));
        entities.flush();
    }

    /** Writes the parts that may change; takes the row's lock when the caller did not. Flushes. */
    public void save(BindingRecord record) {
        BindingEntity row = locked(record.bindingId());
        if (row == null) {
            throw BerthException.notFound("there is no such binding");
        }
        row.change(record, clock.instant());
        entities.flush();
    }

    /**
     * Reserves {@code name} for the binding in place of the one that it holds, until its placement has another name.
     * Takes the row's lock when the caller did not. Flushes.
     *
     * @param name null to hold none
     * @throws jakarta.persistence.PersistenceException when the name is taken
     */
    public void reserve(String bindingId, String name) {
        BindingEntity row = locked(bindingId);
        if (row == null) {
            throw BerthException.notFound("there is no such binding");
        }
        row.heldName = name;
        entities.flush();
    }

    /** Removes the binding and nothing else. Flushes. */
    public void delete(String bindingId) {
        BindingEntity row = locked(bindingId);
        if (row != null) {
            entities.remove(row);
            entities.flush();
        }
    }

    /** Newest first. Bindings that are added meanwhile neither repeat nor hide one. @throws BerthException INVALID */
    public List<BindingRecord> page(BindingFilter filter) {
        StringBuilder where = new StringBuilder("where 1 = 1");
        Map<String, Object> parameters = new HashMap<>();
        equal(where, parameters, "rig", filter.rig());
        equal(where, parameters, "seat", filter.seat());
        equal(where, parameters, "driver", filter.driver() == null ? null : BindingEntity.driver(filter.driver()));
        equal(where, parameters, "resourcePhase", filter.phase());
        if (filter.afterBindingId() != null) {
            BindingRecord after =
                    find(filter.afterBindingId()).orElseThrow(() -> BerthException.invalid("after names no binding"));
            where.append(" and (b.createdAt < :at or (b.createdAt = :at and b.bindingId > :after))");
            parameters.put("at", after.createdAt());
            parameters.put("after", after.bindingId());
        }
        TypedQuery<BindingEntity> query = bindings(where + " order by b.createdAt desc, b.bindingId");
        parameters.forEach(query::setParameter);
        return all(query.setMaxResults(filter.limit()));
    }

    public Optional<EnvironmentOperation> operation(String operationId) {
        return operations("where o.operationId = :id", Map.of("id", operationId)).stream()
                .findFirst();
    }

    /** The incarnation of the binding that the operation was made under. */
    public Optional<String> incarnationOf(String operationId) {
        return entities.createQuery(
                        "select o.incarnation from OperationEntity o where o.operationId = :id", String.class)
                .setParameter("id", operationId)
                .getResultStream()
                .findFirst();
    }

    /** When the operation changed last, for example by its claim. */
    public Optional<Instant> changedAt(String operationId) {
        return entities.createQuery(
                        "select o.updatedAt from OperationEntity o where o.operationId = :id", Instant.class)
                .setParameter("id", operationId)
                .getResultStream()
                .findFirst();
    }

    /** The binding's operations in the order of their intents. */
    public List<EnvironmentOperation> journal(BindingRecord binding) {
        return operations(
                "where o.incarnation = :binding order by o.ordinal", Map.of("binding", binding.incarnation()));
    }

    /** The binding's operations of one kind in the order of their intents. */
    public List<EnvironmentOperation> journal(BindingRecord binding, OperationKind kind) {
        return operations(
                "where o.incarnation = :binding and o.kind = :kind order by o.ordinal",
                Map.of("binding", binding.incarnation(), "kind", kind.wire()));
    }

    /**
     * Operations of one kind, newest first, those of bindings that were given up too.
     *
     * @param bindingId null for every binding's
     * @param after the last operation of the page before; null for the first page
     * @param limit 1..1000
     * @throws BerthException INVALID for a cursor that names no operation
     */
    public List<EnvironmentOperation> newest(OperationKind kind, String bindingId, String after, int limit) {
        StringBuilder where = new StringBuilder("where o.kind = :kind");
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("kind", kind.wire());
        if (bindingId != null) {
            where.append(" and o.bindingId = :binding");
            parameters.put("binding", bindingId);
        }
        if (after != null) {
            EnvironmentOperation last =
                    operation(after).orElseThrow(() -> BerthException.invalid("after names no operation"));
            where.append(" and (o.createdAt < :at or (o.createdAt = :at and o.operationId > :after))");
            parameters.put("at", last.createdAt());
            parameters.put("after", after);
        }
        return operations(where + " order by o.createdAt desc, o.operationId", parameters, limit);
    }

    /** Operations of every binding of the host, by kind and state; for recovery and jobs. */
    public List<EnvironmentOperation> pending(String hostId, OperationKind kind, OperationState... states) {
        List<String> names = new ArrayList<>();
        for (OperationState state : states) {
            names.add(state.wire());
        }
        return operations(
                "where o.kind = :kind and o.state in (:states) and o.incarnation in"
                        + " (select b.incarnation from BindingEntity b where b.hostId = :host)"
                        + " order by o.createdAt, o.operationId",
                Map.of("kind", kind.wire(), "states", names, "host", hostId));
    }

    /**
     * Appends to the binding's journal; the caller holds the binding's row. Flushes.
     *
     * @throws BerthException environment_operation_changed for the id of an operation whose retention is over
     */
    public void append(BindingRecord binding, EnvironmentOperation operation) {
        requireUnspent(operation.operationId());
        Long last = entities.createQuery(
                        "select max(o.ordinal) from OperationEntity o where o.incarnation = :binding", Long.class)
                .setParameter("binding", binding.incarnation())
                .getSingleResult();
        entities.persist(OperationEntity.of(operation, binding.incarnation(), last == null ? 1 : last + 1));
        entities.flush();
    }

    /** Removes the journal of a binding whose provider was never asked. */
    public void forget(BindingRecord binding) {
        entities.createQuery("delete from OperationEntity o where o.incarnation = :binding")
                .setParameter("binding", binding.incarnation())
                .executeUpdate();
    }

    /** Moves an operation by one conditional update. @return whether this call moved it */
    public boolean move(String operationId, OperationState from, OperationState to) {
        return entities.createQuery("update OperationEntity o set o.state = :to, o.updatedAt = :at"
                                + " where o.operationId = :id and o.state = :from")
                        .setParameter("id", operationId)
                        .setParameter("from", from.wire())
                        .setParameter("to", to.wire())
                        .setParameter("at", now())
                        .executeUpdate()
                == 1;
    }

    /** Records what was observed. A receipt that is there stays. @return whether this call recorded it */
    public boolean confirm(String operationId, String receipt) {
        return entities.createQuery("update OperationEntity o set o.state = :state, o.receipt = :receipt,"
                                + " o.updatedAt = :at where o.operationId = :id and o.state <> :state")
                        .setParameter("id", operationId)
                        .setParameter("state", OperationState.CONFIRMED.wire())
                        .setParameter("receipt", receipt)
                        .setParameter("at", now())
                        .executeUpdate()
                == 1;
    }

    /** Replaces the receipt of an operation in {@code state}; for attempts that are observed more than once. */
    public boolean note(String operationId, OperationState state, String receipt) {
        return entities.createQuery("update OperationEntity o set o.receipt = :receipt, o.updatedAt = :at"
                                + " where o.operationId = :id and o.state = :state")
                        .setParameter("id", operationId)
                        .setParameter("state", state.wire())
                        .setParameter("receipt", receipt)
                        .setParameter("at", now())
                        .executeUpdate()
                == 1;
    }

    /**
     * Begins one more attempt of an open operation: it is REQUESTED from now on and carries {@code receipt}. The caller
     * holds the row of the operation's binding.
     *
     * @param previous the receipt that the caller has seen; null for none
     * @return whether it was open and its receipt was still {@code previous}
     */
    public boolean attempt(String operationId, String previous, String receipt) {
        boolean same = operation(operationId)
                .filter(each -> Objects.equals(previous, each.receipt()))
                .isPresent();
        return same
                && entities.createQuery("update OperationEntity o set o.state = :requested, o.receipt = :receipt,"
                                        + " o.updatedAt = :at where o.operationId = :id and o.state in (:open)")
                                .setParameter("id", operationId)
                                .setParameter("requested", OperationState.REQUESTED.wire())
                                .setParameter("receipt", receipt)
                                .setParameter(
                                        "open", List.of(OperationState.INTENT.wire(), OperationState.REQUESTED.wire()))
                                .setParameter("at", now())
                                .executeUpdate()
                        == 1;
    }

    /** Completes the request of an operation that is still an intent. @return whether it was */
    public boolean revise(String operationId, String request) {
        return entities.createQuery("update OperationEntity o set o.request = :request, o.updatedAt = :at"
                                + " where o.operationId = :id and o.state = :intent")
                        .setParameter("id", operationId)
                        .setParameter("intent", OperationState.INTENT.wire())
                        .setParameter("request", request)
                        .setParameter("at", now())
                        .executeUpdate()
                == 1;
    }

    /** Ends an operation that is known to have had no effect. @return whether it was open */
    public boolean refuse(String operationId, String code) {
        return entities.createQuery("update OperationEntity o set o.state = :refused, o.refusal = :code,"
                                + " o.updatedAt = :at where o.operationId = :id and o.state in (:open)")
                        .setParameter("id", operationId)
                        .setParameter("refused", OperationState.REFUSED.wire())
                        .setParameter("open", List.of(OperationState.INTENT.wire(), OperationState.REQUESTED.wire()))
                        .setParameter("code", code)
                        .setParameter("at", now())
                        .executeUpdate()
                == 1;
    }

    private void requireUnspent(String operationId) {
        Number spent = (Number)
                entities.createNativeQuery("select count(*) from environment_spent_operations where operation_id = :id")
                        .setParameter("id", operationId)
                        .getSingleResult();
        if (spent.intValue() > 0) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_OPERATION_CHANGED,
                    "The operation id was used before; its record is gone with its retention.");
        }
    }

    private Instant now() {
        return StoredValues.micros(clock.instant());
    }

    private BindingEntity locked(String bindingId) {
        return entities.find(BindingEntity.class, bindingId, LockModeType.PESSIMISTIC_WRITE);
    }

    private static void equal(StringBuilder where, Map<String, Object> parameters, String field, String value) {
        if (value != null) {
            where.append(" and b.").append(field).append(" = :").append(field);
            parameters.put(field, value);
        }
    }

    private TypedQuery<BindingEntity> bindings(String rest) {
        return entities.createQuery("select b from BindingEntity b " + rest, BindingEntity.class);
    }

    private Optional<BindingRecord> first(TypedQuery<BindingEntity> query) {
        return all(query.setMaxResults(1)).stream().findFirst();
    }

    /** Detaches what it read, so that a later lock reads the row again instead of trusting a stale copy. */
    private List<BindingRecord> all(TypedQuery<BindingEntity> query) {
        return query.getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toRecord();
                })
                .toList();
    }

    private List<EnvironmentOperation> operations(String rest, Map<String, Object> parameters) {
        return operations(rest, parameters, Integer.MAX_VALUE);
    }

    private List<EnvironmentOperation> operations(String rest, Map<String, Object> parameters, int limit) {
        TypedQuery<OperationEntity> query =
                entities.createQuery("select o from OperationEntity o " + rest, OperationEntity.class);
        parameters.forEach(query::setParameter);
        query.setMaxResults(limit);
        return query.getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toOperation();
                })
                .toList();
    }
}
