package org.berth.persistence;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads executions from the batch runtime's own tables, where they lie in the server's database. */
@ApplicationScoped
public class BatchTables {
    private static final String EXECUTIONS = "select e.jobexecutionid, e.jobinstanceid, (select max(n.jobexecutionid)"
            + " from job_execution n where n.jobinstanceid = e.jobinstanceid), i.jobname, e.batchstatus, e.exitstatus,"
            + " e.starttime, e.endtime, e.jobparameters from job_execution e join job_instance i on i.jobinstanceid ="
            + " e.jobinstanceid";
    private static final String STEPS = "select stepname, batchstatus, exitstatus from step_execution"
            + " where jobexecutionid = ? order by stepexecutionid";

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    /**
     * Newest first.
     *
     * @param job null for every job's
     * @param status a batch status; null for every one
     */
    public List<BatchExecution> newest(String job, String status, int limit) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return newest(connection, job, status, limit);
        }
    }

    static List<BatchExecution> newest(Connection connection, String job, String status, int limit)
            throws SQLException {
        List<String> conditions = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        if (job != null) {
            conditions.add("i.jobname = ?");
            values.add(job);
        }
        if (status != null) {
            conditions.add("e.batchstatus = ?");
            values.add(status);
        }
        String where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
        return select(
                connection, where + " order by e.jobexecutionid desc fetch first " + limit + " rows only", values);
    }

    /** One execution; empty when the runtime keeps none of that id. */
    public Optional<BatchExecution> find(long executionId) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return find(connection, executionId);
        }
    }

    static Optional<BatchExecution> find(Connection connection, long executionId) throws SQLException {
        return select(connection, " where e.jobexecutionid = ?", List.of(executionId)).stream()
                .findFirst();
    }

    private static List<BatchExecution> select(Connection connection, String rest, List<Object> values)
            throws SQLException {
        if (!BatchRecords.exist(connection)) {
            return List.of();
        }
        List<BatchExecution> found = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(EXECUTIONS + rest)) {
            for (int each = 0; each < values.size(); each++) {
                select.setObject(each + 1, values.get(each));
            }
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(new BatchExecution(
                            rows.getLong(1),
                            rows.getLong(2),
                            rows.getLong(3),
                            rows.getString(4),
                            rows.getString(5),
                            rows.getString(6),
                            instant(rows.getTimestamp(7)),
                            instant(rows.getTimestamp(8)),
                            parameters(rows.getString(9)),
                            List.of()));
                }
            }
        }
        List<BatchExecution> whole = new ArrayList<>();
        for (BatchExecution each : found) {
            whole.add(each.with(steps(connection, each.executionId())));
        }
        return whole;
    }

    private static List<BatchExecution.Step> steps(Connection connection, long executionId) throws SQLException {
        List<BatchExecution.Step> steps = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(STEPS)) {
            select.setLong(1, executionId);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    steps.add(new BatchExecution.Step(rows.getString(1), rows.getString(2), rows.getString(3)));
                }
            }
        }
        return steps;
    }

    /** The runtime keeps parameters as lines {@code name = value}. */
    static Map<String, String> parameters(String lines) {
        Map<String, String> parameters = new HashMap<>();
        if (lines != null) {
            lines.lines()
                    .map(line -> line.split("=", 2))
                    .filter(pair -> pair.length == 2)
                    .forEach(pair -> parameters.put(pair[0].strip(), pair[1].strip()));
        }
        return parameters;
    }

    private static Instant instant(Timestamp timestamp) {
        return timestamp == null ? null : timestamp.toInstant();
    }
}
