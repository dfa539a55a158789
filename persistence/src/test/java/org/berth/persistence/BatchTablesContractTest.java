package org.berth.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read of batch executions, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class BatchTablesContractTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

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
    void without_the_runtime_s_tables_there_are_no_executions() throws SQLException {
        assertThat(BatchTables.newest(connection, null, null, 10)).isEmpty();
        assertThat(BatchTables.find(connection, 1)).isEmpty();
    }

    @Test
    void executions_are_listed_newest_first_by_job_and_status_and_no_more_than_the_bound() throws SQLException {
        tables();
        assertThat(BatchTables.newest(connection, null, null, 10)).isEmpty();
        instance(1, "capture");
        instance(2, "sweep");
        execution(1, 1, "STOPPED");
        execution(2, 2, "COMPLETED");
        execution(3, 1, "COMPLETED");

        assertThat(ids(null, null, 10)).containsExactly(3L, 2L, 1L);
        assertThat(ids(null, null, 2)).containsExactly(3L, 2L);
        assertThat(ids("capture", null, 10)).containsExactly(3L, 1L);
        assertThat(ids(null, "COMPLETED", 10)).containsExactly(3L, 2L);
        assertThat(ids("capture", "STOPPED", 10)).containsExactly(1L);
        assertThat(ids("' or 'a' = 'a", null, 10)).isEmpty();
    }

    @Test
    void an_execution_is_told_with_its_parameters_its_steps_and_the_newest_of_its_instance() throws SQLException {
        tables();
        instance(7, "capture");
        execution(1, 7, "STOPPED");
        execution(2, 7, "STARTED");
        execute("update job_execution set endtime = null, exitstatus = null where jobexecutionid = 2");
        execute("insert into step_execution values (5, 1, 'verify', 'FAILED', 'FAILED')");
        execute("insert into step_execution values (4, 1, 'select', 'COMPLETED', '9 bytes')");

        assertThat(BatchTables.find(connection, 1))
                .contains(new BatchExecution(
                        1,
                        7,
                        2,
                        "capture",
                        "STOPPED",
                        "refused",
                        NOW,
                        NOW,
                        Map.of("hostId", "host-1", "operationId", "a = b"),
                        List.of(
                                new BatchExecution.Step("select", "COMPLETED", "9 bytes"),
                                new BatchExecution.Step("verify", "FAILED", "FAILED"))));
        assertThat(BatchTables.find(connection, 2)).hasValueSatisfying(running -> {
            assertThat(running.newestId()).isEqualTo(2);
            assertThat(running.ended()).isNull();
            assertThat(running.exitStatus()).isNull();
            assertThat(running.steps()).isEmpty();
        });
        assertThat(BatchTables.find(connection, 3)).isEmpty();
    }

    private List<Long> ids(String job, String status, int limit) throws SQLException {
        return BatchTables.newest(connection, job, status, limit).stream()
                .map(BatchExecution::executionId)
                .toList();
    }

    private void tables() throws SQLException {
        execute("create table job_instance (jobinstanceid bigint primary key, jobname varchar(512))");
        execute("create table job_execution (jobexecutionid bigint primary key, jobinstanceid bigint not null,"
                + " starttime timestamp, endtime timestamp, batchstatus varchar(30), exitstatus varchar(512),"
                + " jobparameters varchar(3000))");
        execute("create table step_execution (stepexecutionid bigint primary key, jobexecutionid bigint not null,"
                + " stepname varchar(250), batchstatus varchar(30), exitstatus varchar(512))");
    }

    private void instance(long id, String job) throws SQLException {
        execute("insert into job_instance values (" + id + ", '" + job + "')");
    }

    private void execution(long id, long instance, String status) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into job_execution values (?, ?, ?, ?, ?, ?, ?)")) {
            insert.setLong(1, id);
            insert.setLong(2, instance);
            insert.setTimestamp(3, Timestamp.from(NOW));
            insert.setTimestamp(4, Timestamp.from(NOW));
            insert.setString(5, status);
            insert.setString(6, "refused");
            insert.setString(7, "hostId = host-1\noperationId = a = b\n");
            insert.executeUpdate();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
