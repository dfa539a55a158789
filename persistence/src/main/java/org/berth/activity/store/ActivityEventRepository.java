package org.berth.activity.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.berth.activity.ActivityEvent;

/** Stores hook posts, append-only. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class ActivityEventRepository {
    private static final String INSERT = "insert into activity_events (node_id, seat, generation, runtime, hook_event,"
            + " subtype, native_session, state, occurred_at, received_at, grant_id)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ActivityEventRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ActivityEventRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Records one post on the connection of a shared transaction. */
    public void append(Connection connection, ActivityEvent event) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            bind(insert, event);
            insert.executeUpdate();
        }
    }

    private static void bind(PreparedStatement insert, ActivityEvent event) throws SQLException {
        insert.setString(1, event.nodeId());
        insert.setString(2, event.seat());
        insert.setString(3, event.generation());
        insert.setString(4, event.runtime());
        insert.setString(5, event.hookEvent());
        insert.setString(6, event.subtype());
        insert.setString(7, event.nativeSession());
        insert.setString(8, event.state() == null ? null : event.state().wire());
        insert.setObject(9, utc(event.occurredAt()));
        insert.setObject(10, utc(event.receivedAt()));
        insert.setString(11, event.grantId());
    }

    private static OffsetDateTime utc(Instant instant) {
        return ActivityGrantEntity.micros(instant).atOffset(ZoneOffset.UTC);
    }

    /** The latest by time of occurrence that decides a state. @param generation null for that of a node without one */
    public Optional<ActivityEvent> lastDeciding(String nodeId, String generation) {
        TypedQuery<ActivityEventEntity> query = query("where e.nodeId = :node and "
                        + (generation == null ? "e.generation is null" : "e.generation = :generation")
                        + " and e.state is not null order by e.occurredAt desc, e.eventId desc")
                .setParameter("node", nodeId)
                .setMaxResults(1);
        if (generation != null) {
            query.setParameter("generation", generation);
        }
        return query.getResultStream().map(this::event).findFirst();
    }

    /** In order of recording. @param nodeId null for any @param after ids above this one @param limit at least 1 */
    public List<ActivityEvent> list(String nodeId, long after, int limit) {
        return query("where (:node is null or e.nodeId = :node) and e.eventId > :after order by e.eventId")
                .setParameter("node", nodeId)
                .setParameter("after", after)
                .setMaxResults(limit)
                .getResultStream()
                .map(this::event)
                .toList();
    }

    /** Removes the oldest so that at most {@code keep} stay. @return how many went */
    public int trim(long keep) {
        Long newest = entities.createQuery("select max(e.eventId) from ActivityEventEntity e", Long.class)
                .getSingleResult();
        return newest == null || newest <= keep
                ? 0
                : entities.createQuery("delete from ActivityEventEntity e where e.eventId <= :last")
                        .setParameter("last", newest - keep)
                        .executeUpdate();
    }

    private TypedQuery<ActivityEventEntity> query(String rest) {
        return entities.createQuery("select e from ActivityEventEntity e " + rest, ActivityEventEntity.class);
    }

    private ActivityEvent event(ActivityEventEntity row) {
        entities.detach(row);
        return row.toEvent();
    }
}
