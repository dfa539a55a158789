package org.berth.placement.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.berth.placement.ExecutionState;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.berth.problem.BerthException;

/**
 * Stores the plans of preparers. Writing methods need the caller's transaction; reading ones do not. Source:
 * placement.md, Preparers.
 */
@ApplicationScoped
public class PreparerStateRepository {
    private static final String OUTSTANDING = """
            select a.attemptId from PreparerStateEntity s, AttemptEntity a
            where a.attemptId = s.attemptId and a.hostId = :host and a.executionState = :exited
              and s.phase in (:phases)
            group by a.attemptId order by min(s.updatedAt), a.attemptId
            """;

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public PreparerStateRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public PreparerStateRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Records the plans of an attempt, in their order; those that are recorded already are answered as they are. Flushes.
     *
     * @throws BerthException INVALID for a state that is too large, before anything is written; CONFLICT when others are
     *     recorded: another preparer, binding or state
     */
    public List<PreparerState> record(String attemptId, List<PreparerPlan> plans, Instant now) {
        List<PreparerStateEntity> rows = new ArrayList<>();
        for (PreparerPlan plan : plans) {
            rows.add(PreparerStateEntity.of(attemptId, rows.size(), plan, now));
        }
        List<PreparerStateEntity> recorded = rows(attemptId);
        if (recorded.isEmpty()) {
            rows.forEach(entities::persist);
            entities.flush();
            return states(rows);
        }
        boolean same = recorded.size() == rows.size();
        for (int i = 0; same && i < rows.size(); i++) {
            same = recorded.get(i).isOf(rows.get(i));
        }
        if (!same) {
            throw BerthException.conflict(
                    "the attempt has recorded plans of preparers, which others cannot replace; prepare a new attempt");
        }
        return states(recorded);
    }

    /** In their order; empty when none were recorded. */
    public List<PreparerState> find(String attemptId) {
        return states(rows(attemptId));
    }

    /**
     * Moves a plan on.
     *
     * @param reason why it is retained or failed, cut to what the column holds; null otherwise
     * @return false when its phase is one that {@code phase} cannot follow, or there is no such plan
     */
    public boolean mark(String attemptId, int position, PreparerPhase phase, String reason, Instant now) {
        return entities.createQuery("update PreparerStateEntity s set s.phase = :phase, s.reason = :reason,"
                                + " s.updatedAt = :now where s.attemptId = :attempt and s.position = :position"
                                + " and s.phase in (:from)")
                        .setParameter("phase", StoredValues.name(phase))
                        .setParameter("reason", PreparerState.recordable(reason))
                        .setParameter("now", StoredValues.micros(now))
                        .setParameter("attempt", attemptId)
                        .setParameter("position", position)
                        .setParameter("from", names(phase.after()))
                        .executeUpdate()
                == 1;
    }

    /**
     * The host's ended attempts with plans that a cleanup has to come for; those whose plans were touched longest ago
     * first. Whether their processes are gone is not looked at.
     *
     * @param bound at most so many
     * @return attempt ids
     */
    public List<String> outstanding(String hostId, int bound) {
        return entities.createQuery(OUTSTANDING, String.class)
                .setParameter("host", hostId)
                .setParameter("exited", StoredValues.name(ExecutionState.EXITED))
                .setParameter("phases", names(PreparerPhase.outstanding()))
                .setMaxResults(bound)
                .getResultList();
    }

    /** Puts the attempt's outstanding plans behind those of others. */
    public void touch(String attemptId, Instant now) {
        entities.createQuery("update PreparerStateEntity s set s.updatedAt = :now where s.attemptId = :attempt"
                        + " and s.phase in (:phases)")
                .setParameter("now", StoredValues.micros(now))
                .setParameter("attempt", attemptId)
                .setParameter("phases", names(PreparerPhase.outstanding()))
                .executeUpdate();
    }

    private List<PreparerStateEntity> rows(String attemptId) {
        return entities.createQuery(
                        "select s from PreparerStateEntity s where s.attemptId = :attempt order by s.position",
                        PreparerStateEntity.class)
                .setParameter("attempt", attemptId)
                .getResultList();
    }

    private List<PreparerState> states(List<PreparerStateEntity> rows) {
        rows.forEach(entities::detach);
        return rows.stream().map(PreparerStateEntity::toState).toList();
    }

    private static List<String> names(Collection<PreparerPhase> phases) {
        return phases.stream().map(StoredValues::name).toList();
    }
}
