package org.berth.acceptance;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;

/** Writes rigs and occupants into a stopped server's database: what launches do, without a launch. */
final class SeatRows implements AutoCloseable {
    private static final OffsetDateTime NOW = OffsetDateTime.parse("2026-01-31T12:00:00Z");

    private final Connection connection;

    private SeatRows(Connection connection) {
        this.connection = connection;
    }

    static SeatRows of(BerthServer stopped) throws SQLException {
        return new SeatRows(DriverManager.getConnection(
                "jdbc:h2:file:" + stopped.home().resolve("data/berth") + ";WRITE_DELAY=0", "berth", ""));
    }

    SeatRows rig(String name) throws SQLException {
        return row(
                "insert into rigs (rig_id, name, root, spec_json, spec_digest, created_by, created_at)"
                        + " values (?, ?, '/tmp', '{}', '0', 'owner', ?)",
                name,
                name,
                NOW);
    }

    /** The node {@code MEMBER-node}, whose seat is {@code MEMBER@RIG}. */
    SeatRows seat(String member, String rig) throws SQLException {
        return row(
                "insert into rig_nodes (node_id, rig_id, position, rig_name, member_id, seat, agent_ref, runtime,"
                        + " profile, cwd) values (?, ?, (select count(*) from rig_nodes), ?, ?, ?, 'a', 'synth', 'p', '/tmp')",
                member + "-node",
                rig,
                rig,
                member,
                member + "@" + rig);
    }

    /** @param state pending, current or stale */
    SeatRows generation(String member, String generation, String state) throws SQLException {
        return row(
                "insert into occupants (node_id, generation, state, reserved_at) values (?, ?, ?, ?)",
                member + "-node",
                generation,
                state,
                NOW);
    }

    /** Makes the reserved generation the current one. */
    SeatRows register(String member, String generation) throws SQLException {
        row("update occupants set state = 'stale' where node_id = ? and state = 'current'", member + "-node");
        return row(
                "update occupants set state = 'current' where node_id = ? and generation = ?",
                member + "-node",
                generation);
    }

    private SeatRows row(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
        return this;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
