package org.berth.persistence;

import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;

/** What stores that write plain SQL share. */
public final class Jdbc {
    private Jdbc() {}

    /**
     * Runs {@code work} on a connection of the caller's transaction, or without one.
     *
     * @throws PersistenceException around the database's error
     */
    public static <T> T with(DataSource source, GroupCommit.Work<T> work) {
        try (Connection connection = source.getConnection()) {
            return work.run(connection);
        } catch (SQLException e) {
            throw new PersistenceException("the database refused a statement", e);
        }
    }

    /** Null stays null; cut to microseconds, as the databases keep it. */
    public static OffsetDateTime time(Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    /** Null stays null. */
    public static Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Sets {@code values} from the first parameter on. */
    public static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Runs one statement that changes rows. @return how many */
    public static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, values);
            return statement.executeUpdate();
        }
    }
}
