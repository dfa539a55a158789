package org.berth.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the removal of old batch executions and the end of orphans promise, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class BatchRecordsContractTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    /** The execution that is younger than the server's start. */
    private static final long YOUNG = 7;

    @Parameter
    TestDatabase database;

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = database.dataSource().getConnection();
    }

    @AfterEach
    void close() throws SQLException {
        execute("drop table if exists step_execution");
        execute("drop table if exists job_execution");
        execute("drop table if exists job_instance");
        connection.close();
    }

    @Test
    void without_the_runtime_s_tables_there_is_nothing_to_remove() throws SQLException {
        assertThat(BatchRecords.remove(connection, NOW, 10)).isZero();
    }

    @Test
    void ended_executions_go_with_instance_and_steps_oldest_first_and_no_more_than_the_bound() throws SQLException {
        tables();
        execution(1, NOW.minusSeconds(3));
        execution(2, NOW.minusSeconds(2));
        execution(3, NOW.minusSeconds(1));
        execution(4, NOW.plusSeconds(1));
        execution(5, null);

        assertThat(BatchRecords.remove(connection, NOW, 2)).isEqualTo(2);
        assertThat(ids("job_execution", "jobexecutionid")).isEqualTo("3 4 5");
        assertThat(BatchRecords.remove(connection, NOW, 2)).isEqualTo(1);
        assertThat(BatchRecords.remove(connection, NOW, 2)).isZero();
        assertThat(ids("job_instance", "jobinstanceid")).isEqualTo("4 5");
        assertThat(ids("step_execution", "jobexecutionid")).isEqualTo("4 5");
    }

    @Test
    void an_instance_stays_while_one_of_its_executions_is_young_or_open() throws SQLException {
        tables();
        execution(1, NOW.minusSeconds(3));
        execution(2, NOW.minusSeconds(2));
        execute("insert into job_execution (jobexecutionid, jobinstanceid) values (3, 1)");

        assertThat(BatchRecords.remove(connection, NOW, 10)).isEqualTo(1);
        assertThat(ids("job_execution", "jobexecutionid")).isEqualTo("1 3");
    }

    @Test
    void open_executions_of_this_host_fail_with_their_open_steps_and_others_stay() throws SQLException {
        tables();
        assertThat(BatchRecords.failOrphans(connection, "host-1", NOW, NOW)).isZero();
        started(1, "STARTED", "operationId = one\nhostId = host-1\n");
        started(2, "STARTED", "hostId = host-2\n");
        started(3, "COMPLETED", "hostId = host-1\n");
        started(4, "STARTING", "hostId = host-1");
        started(5, "STARTED", null);
        started(6, "STARTED", "operationId = hostId = host-1\n");
        started(YOUNG, "STARTED", "hostId = host-1\n");

        assertThat(BatchRecords.failOrphans(connection, "host-1", NOW, NOW)).isEqualTo(2);
        assertThat(ids("job_execution", "jobexecutionid", "batchstatus = 'FAILED' and endtime is not null"))
                .isEqualTo("1 4");
        assertThat(ids("step_execution", "stepexecutionid", "batchstatus = 'FAILED' and endtime is not null"))
                .isEqualTo("1 4");
        assertThat(BatchRecords.failOrphans(connection, "host-1", NOW, NOW)).isZero();
    }

    private void started(long id, String status, String parameters) throws SQLException {
        execution(id, null);
        try (PreparedStatement update = connection.prepareStatement(
                "update job_execution set batchstatus = ?, jobparameters = ?, createtime = ? where jobexecutionid = ?")) {
            update.setString(1, status);
            update.setString(2, parameters);
            update.setTimestamp(3, Timestamp.from(id == YOUNG ? NOW.plusSeconds(1) : NOW.minusSeconds(9)));
            update.setLong(4, id);
            update.executeUpdate();
        }
        execute("update step_execution set batchstatus = '" + status + "' where jobexecutionid = " + id);
    }

    private void tables() throws SQLException {
        execute("create table job_instance (jobinstanceid bigint primary key)");
        execute("create table job_execution (jobexecutionid bigint primary key, jobinstanceid bigint not null"
                + " references job_instance (jobinstanceid) on delete cascade, endtime timestamp,"
                + " createtime timestamp, lastupdatedtime timestamp, batchstatus varchar(30), exitstatus varchar(512),"
                + " jobparameters varchar(3000))");
        execute("create table step_execution (stepexecutionid bigint primary key, jobexecutionid bigint not null"
                + " references job_execution (jobexecutionid) on delete cascade, endtime timestamp,"
                + " batchstatus varchar(30), exitstatus varchar(512))");
    }

    private void execution(long id, Instant end) throws SQLException {
        execute("insert into job_instance values (" + id + ")");
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into job_execution (jobexecutionid, jobinstanceid, endtime) values (?, ?, ?)")) {
            insert.setLong(1, id);
            insert.setLong(2, id);
            insert.setTimestamp(3, end == null ? null : Timestamp.from(end));
            insert.executeUpdate();
        }
        execute("insert into step_execution (stepexecutionid, jobexecutionid) values (" + id + ", " + id + ")");
    }

    private String ids(String table, String column) throws SQLException {
        return ids(table, column, "1 = 1");
    }

    private String ids(String table, String column, String where) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select " + column + " from " + table + " where " + where + " order by 1")) {
            StringBuilder ids = new StringBuilder();
            while (rows.next()) {
                ids.append(ids.isEmpty() ? "" : " ").append(rows.getLong(1));
            }
            return ids.toString();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
