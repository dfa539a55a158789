package org.berth.placement.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.problem.BerthException;

/**
 * Stores attempts and their evidence. Writing and locking methods need the caller's transaction; reading ones do not.
 * What it gives are snapshots: a change takes effect only through {@link #save}.
 */
@ApplicationScoped
public class AttemptRepository {
    /** States that a sweep looks after. Source: placement.md, Supervision. */
    private static final List<String> LIVE = Stream.of(
                    ExecutionState.STARTING, ExecutionState.RUNNING, ExecutionState.STOPPING, ExecutionState.UNCERTAIN)
            .map(StoredValues::name)
            .toList();

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public AttemptRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public AttemptRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Stores a new attempt whose evidence gets the sequences from 1. Flushes.
     *
     * @throws AttemptExistsException when its id, attempt key or (owner, idempotency key) is taken
     * @throws SessionHeldException when another attempt holds its session home
     */
    public Attempt insert(Attempt attempt, List<Evidence> evidence) {
        return insert(attempt, evidence, null);
    }

    /**
     * As {@link #insert(Attempt, List)}, with what its driver rendered.
     *
     * @param deliveryJson canonical JSON; null for a launch without a driver of agents
     */
    public Attempt insert(Attempt attempt, List<Evidence> evidence, String deliveryJson) {
        AttemptEntity row = AttemptMapper.row(attempt);
        try {
            row.evidenceCount = evidence.size();
            entities.persist(row);
            append(row, 0, evidence);
            if (deliveryJson != null) {
                entities.persist(DeliveryEntity.of(attempt.attemptId(), deliveryJson));
            }
            entities.flush();
        } catch (PersistenceException e) {
            throw StoreFailures.ofAttempts(e);
        }
        return AttemptMapper.attempt(row);
    }

    public Optional<Attempt> find(String attemptId) {
        return Optional.ofNullable(entities.find(AttemptEntity.class, attemptId))
                .map(this::detached);
    }

    /**
     * What the attempt's driver rendered at prepare, as it was stored.
     *
     * @throws BerthException STORAGE when the text is not the one that was stored
     */
    public Optional<String> delivery(String attemptId) {
        return Optional.ofNullable(entities.find(DeliveryEntity.class, attemptId))
                .map(DeliveryEntity::verified);
    }

    /** Holds the row until the transaction ends. The snapshot is the newest committed one. */
    public Optional<Attempt> lock(String attemptId) {
        return Optional.ofNullable(locked(attemptId)).map(AttemptMapper::attempt);
    }

    /** As {@link #lock}, by the derived key. */
    public Optional<Attempt> lockByKey(String attemptKey) {
        return query("where a.attemptKey = :key")
                .setParameter("key", attemptKey)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultStream()
                .findFirst()
                .map(AttemptMapper::attempt);
    }

    /** By the derived key, without a lock. */
    public Optional<Attempt> findByKey(String attemptKey) {
        return first(query("where a.attemptKey = :key").setParameter("key", attemptKey));
    }

    public Optional<Attempt> findByIdempotencyKey(String ownerId, String idempotencyKey) {
        List<?> found = entities.createNativeQuery(
                        "select attempt_id from attempts where owner_id = :owner and idempotency_key = :key",
                        String.class)
                .setParameter("owner", ownerId)
                .setParameter("key", idempotencyKey)
                .getResultList();
        return found.isEmpty() ? Optional.empty() : find((String) found.getFirst());
    }

    /** The attempt that holds the retained home now. */
    public Optional<Attempt> holderOf(String sessionKey) {
        return first(query("where a.sessionHolder = :key").setParameter("key", sessionKey));
    }

    /**
     * Writes the parts of {@code changed} that may change, and appends {@code evidence} with the next sequences. Takes
     * the row's lock when the caller did not. Flushes. A sweep time never goes back.
     *
     * @return the stored snapshot, with its new version and evidence count
     * @throws AttemptChangedException when {@code changed} was not made from the newest snapshot
     * @throws SessionHeldException when another attempt holds the session home it takes
     * @throws BerthException NOT_FOUND
     */
    public Attempt save(Attempt changed, List<Evidence> evidence) {
        try {
            AttemptEntity row = locked(changed.attemptId());
            if (row == null) {
                throw BerthException.notFound("there is no such attempt");
            }
            if (row.version != changed.version()) {
                throw new AttemptChangedException(changed.attemptId(), null);
            }
            AttemptMapper.change(row, changed);
            append(row, row.evidenceCount, evidence);
            row.evidenceCount += evidence.size();
            entities.flush();
            return AttemptMapper.attempt(row);
        } catch (OptimisticLockException e) {
            throw new AttemptChangedException(changed.attemptId(), e);
        } catch (PersistenceException e) {
            throw StoreFailures.ofAttempts(e);
        }
    }

    /**
     * Newest first; the cursor is the last attempt of the page before. Attempts that are added meanwhile neither repeat
     * nor hide one.
     *
     * @throws BerthException INVALID when the cursor names no attempt that the filter's owner may see
     */
    public List<Attempt> page(AttemptFilter filter) {
        StringBuilder where = new StringBuilder("where 1 = 1");
        Map<String, Object> parameters = new HashMap<>();
        if (filter.state() != null) {
            where.append(" and a.executionState = :state");
            parameters.put("state", StoredValues.name(filter.state()));
        }
        if (filter.ownerId() != null) {
            where.append(" and a.ownerId = :owner");
            parameters.put("owner", filter.ownerId());
        }
        if (filter.afterAttemptId() != null) {
            Attempt after = find(filter.afterAttemptId())
                    .filter(each -> filter.ownerId() == null || filter.ownerId().equals(each.ownerId()))
                    .orElseThrow(() -> BerthException.invalid("after: there is no such attempt"));
            where.append(" and (a.createdAt < :created or (a.createdAt = :created and a.attemptId > :after))");
            parameters.put("created", after.createdAt());
            parameters.put("after", after.attemptId());
        }
        TypedQuery<AttemptEntity> query = query(where + " order by a.createdAt desc, a.attemptId");
        parameters.forEach(query::setParameter);
        return all(query.setMaxResults(filter.limit()));
    }

    /** In order of sequence, from {@code after + 1} on, at most {@code limit} rows. */
    public List<Evidence> evidence(String attemptId, long after, int limit) {
        return entities
                .createQuery(
                        "select e from EvidenceEntity e where e.attemptId = :id and e.sequence > :after"
                                + " order by e.sequence",
                        EvidenceEntity.class)
                .setParameter("id", attemptId)
                .setParameter("after", after)
                .setMaxResults(limit)
                .getResultList()
                .stream()
                .map(row -> {
                    entities.detach(row);
                    return AttemptMapper.evidence(row);
                })
                .toList();
    }

    /** Whether the attempt has a row of this kind. */
    public boolean hasEvidence(String attemptId, EvidenceKind kind) {
        return !entities.createQuery(
                        "select e.sequence from EvidenceEntity e where e.attemptId = :id and e.kind = :kind",
                        Long.class)
                .setParameter("id", attemptId)
                .setParameter("kind", kind.wire())
                .setMaxResults(1)
                .getResultList()
                .isEmpty();
    }

    /** At most {@code bound} live attempts of the host: never swept first, then the longest ago. */
    public List<Attempt> oldestSwept(String hostId, int bound) {
        return all(query("where a.hostId = :host and a.executionState in (:live)"
                        + " order by a.lastSweptAt asc nulls first, a.attemptId")
                .setParameter("host", hostId)
                .setParameter("live", LIVE)
                .setMaxResults(bound));
    }

    /** In one statement; leaves versions alone, since nothing is decided by the sweep time. */
    public void markSwept(Collection<String> attemptIds, Instant at) {
        if (attemptIds.isEmpty()) {
            return;
        }
        entities.createQuery("update AttemptEntity a set a.lastSweptAt = :at where a.attemptId in (:ids)")
                .setParameter("at", StoredValues.micros(at))
                .setParameter("ids", attemptIds)
                .executeUpdate();
    }

    /** Attempts of the host that have not exited, or whose cleanup is not complete; oldest first. */
    public List<Attempt> unfinished(String hostId) {
        return all(query("where a.hostId = :host and (a.executionState <> :exited or a.cleanupState <> :complete)"
                        + " order by a.createdAt, a.attemptId")
                .setParameter("host", hostId)
                .setParameter("exited", StoredValues.name(ExecutionState.EXITED))
                .setParameter("complete", StoredValues.name(CleanupState.COMPLETE)));
    }

    /** The owner's attempts for one action on the host that have not exited, oldest first. */
    public List<Attempt> unfinished(String hostId, String ownerId, String actionId) {
        return all(query("where a.hostId = :host and a.executionState in (:live) and a.ownerId = :owner"
                        + " and a.actionId = :action order by a.createdAt, a.attemptId")
                .setParameter("host", hostId)
                .setParameter("live", LIVE)
                .setParameter("owner", ownerId)
                .setParameter("action", actionId));
    }

    /** The owner's attempts for one action on the host that have exited, newest first. @param limit at least 1 */
    public List<Attempt> exited(String hostId, String ownerId, String actionId, int limit) {
        return all(query("where a.hostId = :host and a.executionState = :exited and a.ownerId = :owner"
                        + " and a.actionId = :action order by a.createdAt desc, a.attemptId desc")
                .setParameter("host", hostId)
                .setParameter("exited", StoredValues.name(ExecutionState.EXITED))
                .setParameter("owner", ownerId)
                .setParameter("action", actionId)
                .setMaxResults(limit));
    }

    /** The attempt keys of the host with one of the cleanup states; with none named, of any. */
    public List<String> keysOf(String hostId, CleanupState... states) {
        List<String> names = Stream.of(states.length == 0 ? CleanupState.values() : states)
                .map(StoredValues::name)
                .toList();
        return entities.createQuery(
                        "select a.attemptKey from AttemptEntity a where a.hostId = :host and a.cleanupState in (:states)"
                                + " order by a.attemptKey",
                        String.class)
                .setParameter("host", hostId)
                .setParameter("states", names)
                .getResultList();
    }

    /** How many attempts are in each state; a state without any is there with 0. */
    public Map<ExecutionState, Long> counts() {
        Map<ExecutionState, Long> counts = new EnumMap<>(ExecutionState.class);
        for (ExecutionState state : ExecutionState.values()) {
            counts.put(state, 0L);
        }
        entities.createQuery(
                        "select a.executionState, count(a) from AttemptEntity a group by a.executionState",
                        Object[].class)
                .getResultList()
                .forEach(
                        row -> counts.put(StoredValues.constant(ExecutionState.class, (String) row[0]), (Long) row[1]));
        return counts;
    }

    private AttemptEntity locked(String attemptId) {
        return entities.find(AttemptEntity.class, attemptId, LockModeType.PESSIMISTIC_WRITE);
    }

    private void append(AttemptEntity row, long after, List<Evidence> evidence) {
        long sequence = after;
        for (Evidence each : evidence) {
            sequence++;
            entities.persist(AttemptMapper.row(row.attemptId, sequence, each));
        }
    }

    private TypedQuery<AttemptEntity> query(String rest) {
        return entities.createQuery("select a from AttemptEntity a " + rest, AttemptEntity.class);
    }

    private Optional<Attempt> first(TypedQuery<AttemptEntity> query) {
        return all(query.setMaxResults(1)).stream().findFirst();
    }

    /** Detaches what it read, so that a later lock reads the row again instead of trusting a stale copy. */
    private List<Attempt> all(TypedQuery<AttemptEntity> query) {
        return query.getResultList().stream().map(this::detached).toList();
    }

    private Attempt detached(AttemptEntity row) {
        entities.detach(row);
        return AttemptMapper.attempt(row);
    }
}
