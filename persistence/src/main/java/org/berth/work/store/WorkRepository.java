package org.berth.work.store;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.persistence.Jdbc;
import org.berth.work.WorkItem;
import org.berth.work.WorkTransition;

/** Stores work items and their transitions on the connection it is given; writing methods need a transaction. */
@ApplicationScoped
public class WorkRepository {
    private static final String COLUMNS = "qitem_id, source_session, destination_session, body, priority, tags, nudge,"
            + " state, closure_reason, closure_target, claimed_by, handed_off_from, created_at, updated_at, closed_at,"
            + " transition_count";
    private static final String SELECT = "select " + COLUMNS + " from work_items i ";
    private static final String INSERT =
            "insert into work_items (" + COLUMNS + ") values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    private static final String UPDATE = "update work_items set state = ?, closure_reason = ?, closure_target = ?,"
            + " claimed_by = ?, updated_at = ?, closed_at = ?, transition_count = ? where qitem_id = ?";
    private static final String APPEND = "insert into work_transitions (qitem_id, sequence, action, from_state,"
            + " to_state, actor_session, identity_provenance, identity_principal, closure_reason, closure_target,"
            + " transition_note, at) values (?,?,?,?,?,?,?,?,?,?,?,?)";

    /** A new item and its first transition. @throws SQLException state 23505 when the id is taken */
    public void insert(Connection connection, WorkItem item, WorkTransition created) throws SQLException {
        Jdbc.update(
                connection,
                INSERT,
                item.qitemId(),
                item.sourceSession(),
                item.destinationSession(),
                item.body(),
                item.priority().wire(),
                WorkRows.joined(item.tags()),
                item.nudge(),
                item.state().wire(),
                WorkRows.wire(item.closureReason()),
                item.closureTarget(),
                item.claimedBy(),
                item.handedOffFrom(),
                Jdbc.time(item.createdAt()),
                Jdbc.time(item.updatedAt()),
                Jdbc.time(item.closedAt()),
                item.transitionCount());
        append(connection, created);
    }

    /** Writes what a transition may change, and the transition. The caller holds the item's lock. */
    public void save(Connection connection, WorkItem item, WorkTransition transition) throws SQLException {
        Jdbc.update(
                connection,
                UPDATE,
                item.state().wire(),
                WorkRows.wire(item.closureReason()),
                item.closureTarget(),
                item.claimedBy(),
                Jdbc.time(item.updatedAt()),
                Jdbc.time(item.closedAt()),
                item.transitionCount(),
                item.qitemId());
        append(connection, transition);
    }

    private static void append(Connection connection, WorkTransition transition) throws SQLException {
        Jdbc.update(
                connection,
                APPEND,
                transition.qitemId(),
                transition.sequence(),
                transition.action().wire(),
                transition.from() == null ? null : transition.from().wire(),
                transition.to().wire(),
                transition.actor().session(),
                transition.actor().provenance(),
                transition.actor().principal(),
                WorkRows.wire(transition.closureReason()),
                transition.closureTarget(),
                transition.note(),
                Jdbc.time(transition.at()));
    }

    public Optional<WorkItem> find(Connection connection, String qitemId) throws SQLException {
        return items(connection, SELECT + "where qitem_id = ?", qitemId).stream()
                .findFirst();
    }

    /** Holds the row until the transaction ends. */
    public Optional<WorkItem> lock(Connection connection, String qitemId) throws SQLException {
        return items(connection, SELECT + "where qitem_id = ? for update", qitemId).stream()
                .findFirst();
    }

    /** Newest first; items that are added meanwhile neither repeat nor hide one. */
    public List<WorkItem> page(Connection connection, WorkFilter filter) throws SQLException {
        StringBuilder where = new StringBuilder("where 1 = 1");
        List<Object> values = new ArrayList<>();
        and(where, values, filter.destination(), " and destination_session = ?");
        and(where, values, filter.source(), " and source_session = ?");
        if (filter.session() != null) {
            where.append(" and (destination_session = ? or source_session = ?)");
            values.addAll(List.of(filter.session(), filter.session()));
        }
        if (filter.rig() != null) {
            String pattern = "%@"
                    + filter.rig().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
            where.append(" and (destination_session like ? escape '\\' or source_session like ? escape '\\')");
            values.addAll(List.of(pattern, pattern));
        }
        and(where, values, filter.state() == null ? null : filter.state().wire(), " and state = ?");
        and(where, values, filter.priority() == null ? null : filter.priority().wire(), " and priority = ?");
        if (filter.openOnly()) {
            where.append(" and closed_at is null");
        }
        if (filter.after() != null) {
            where.append(" and (created_at < ? or (created_at = ? and qitem_id > ?))");
            Object created = Jdbc.time(filter.after().createdAt());
            values.addAll(List.of(created, created, filter.after().qitemId()));
        }
        where.append(" order by created_at desc, qitem_id fetch first ")
                .append(filter.limit())
                .append(" rows only");
        return items(connection, SELECT + where, values.toArray());
    }

    private static void and(StringBuilder where, List<Object> values, String value, String condition) {
        if (value != null) {
            where.append(condition);
            values.add(value);
        }
    }

    /** In order, from {@code after + 1} on. */
    public List<WorkTransition> transitions(Connection connection, String qitemId, int after, int limit)
            throws SQLException {
        String sql = "select * from work_transitions where qitem_id = ? and sequence > ? order by sequence"
                + " fetch first " + limit + " rows only";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Jdbc.set(statement, qitemId, after);
            try (ResultSet rows = statement.executeQuery()) {
                List<WorkTransition> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(WorkRows.transition(rows));
                }
                return found;
            }
        }
    }

    private static List<WorkItem> items(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Jdbc.set(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                List<WorkItem> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(WorkRows.item(rows));
                }
                return found;
            }
        }
    }
}
