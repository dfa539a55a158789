package org.berth.event.store;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.berth.persistence.Jdbc;

/** Stores events on the connection it is given; writing methods need a transaction. */
@ApplicationScoped
public class EventRepository {
    /** The event's id is the caller's, who knows which of them are still uncommitted. */
    public void append(Connection connection, StoredEvent event) throws SQLException {
        Jdbc.update(
                connection,
                "insert into events (event_id, type, rigs, payload, occurred_at) values (?,?,?,?,?)",
                event.eventId(),
                event.type(),
                "," + String.join(",", event.rigs()) + ",",
                event.payload(),
                Jdbc.time(event.occurredAt()));
    }

    /** In order, ids above {@code after} and below {@code horizon}. */
    public List<StoredEvent> between(Connection connection, long after, long horizon, int limit) throws SQLException {
        String sql = "select * from events where event_id > ? and event_id < ? order by event_id fetch first " + limit
                + " rows only";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Jdbc.set(statement, after, horizon);
            try (ResultSet rows = statement.executeQuery()) {
                List<StoredEvent> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(event(rows));
                }
                return found;
            }
        }
    }

    private static StoredEvent event(ResultSet row) throws SQLException {
        String rigs = row.getString("rigs");
        return new StoredEvent(
                row.getLong("event_id"),
                row.getString("type"),
                rigs.length() <= 2
                        ? List.of()
                        : List.of(rigs.substring(1, rigs.length() - 1).split(",")),
                row.getString("payload"),
                Jdbc.instant(row, "occurred_at"));
    }

    /** The lowest and the highest id; both 0 when there is none. */
    public long[] bounds(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        "select coalesce(min(event_id), 0), coalesce(max(event_id), 0) from events");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new long[] {row.getLong(1), row.getLong(2)};
        }
    }

    /** Removes what is older than id {@code keepFrom}. @return how many */
    public int prune(Connection connection, long keepFrom) throws SQLException {
        return Jdbc.update(connection, "delete from events where event_id < ?", keepFrom);
    }

    /**
     * Removes the oldest of what happened before {@code before}, but never the newest of all, whose id is where the next
     * one goes on.
     *
     * @return how many, at most {@code bound}
     */
    public int removeOlder(Connection connection, Instant before, int bound) throws SQLException {
        return Jdbc.update(
                connection,
                "delete from events where event_id in (select event_id from events where occurred_at < ? and event_id <"
                        + " (select max(event_id) from events) order by event_id fetch first " + bound + " rows only)",
                Jdbc.time(before));
    }
}
