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
import java.util.List;
import javax.sql.DataSource;

/**
 * The batch runtime's own tables, where they lie in the server's database. The runtime keeps every execution and leaves
 * their removal to SQL; steps and partitions go with their execution, which the foreign keys cascade.
 */
@ApplicationScoped
public class BatchRecords {
    private static final String EXISTS =
            "select count(*) from information_schema.tables where lower(table_name) = 'job_execution'";

    /** An instance goes with all of its executions, and stays while one of them is younger or has not ended. */
    private static final String REMOVE = "delete from job_instance where jobinstanceid in (select jobinstanceid"
            + " from job_execution e where endtime < ? and not exists (select 1 from job_execution n where"
            + " n.jobinstanceid = e.jobinstanceid and (n.endtime is null or n.endtime >= ?))"
            + " order by endtime fetch first %d rows only)";

    /** The name of the job parameter that says whose server runs it: {@value}. */
    public static final String HOST = "hostId";

    private static final String OPEN = "('STARTING', 'STARTED', 'STOPPING')";
    private static final String UNENDED =
            "select jobexecutionid, jobparameters from job_execution where createtime < ? and batchstatus in " + OPEN;
    private static final String FAIL_STEPS = "update step_execution set batchstatus = 'FAILED', exitstatus = 'FAILED',"
            + " endtime = ? where jobexecutionid = ? and batchstatus in " + OPEN;
    private static final String FAIL = "update job_execution set batchstatus = 'FAILED', exitstatus ="
            + " 'the server ended', endtime = ?, lastupdatedtime = ? where jobexecutionid = ? and batchstatus in "
            + OPEN;

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    /** In the caller's transaction. @return how many of at most {@code bound} executions that ended before the time went */
    public int remove(Instant endedBefore, int bound) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return remove(connection, endedBefore, bound);
        }
    }

    static int remove(Connection connection, Instant endedBefore, int bound) throws SQLException {
        if (!exist(connection)) {
            return 0;
        }
        try (PreparedStatement remove = connection.prepareStatement(REMOVE.formatted(bound))) {
            remove.setTimestamp(1, Timestamp.from(endedBefore));
            remove.setTimestamp(2, Timestamp.from(endedBefore));
            return remove.executeUpdate();
        }
    }

    /**
     * Marks the executions failed that an ended server of this host left open, and their open steps; before the runtime
     * has read one of them. In the caller's transaction.
     *
     * @param started when this server was started; what is younger is its own
     * @return how many
     */
    public int failOrphans(String hostId, Instant started, Instant now) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return failOrphans(connection, hostId, started, now);
        }
    }

    static int failOrphans(Connection connection, String hostId, Instant started, Instant now) throws SQLException {
        if (!exist(connection)) {
            return 0;
        }
        List<Long> orphans = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(UNENDED)) {
            select.setTimestamp(1, Timestamp.from(started));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    if (isOf(hostId, rows.getString(2))) {
                        orphans.add(rows.getLong(1));
                    }
                }
            }
        }
        Timestamp at = Timestamp.from(now);
        try (PreparedStatement steps = connection.prepareStatement(FAIL_STEPS);
                PreparedStatement execution = connection.prepareStatement(FAIL)) {
            for (long orphan : orphans) {
                steps.setTimestamp(1, at);
                steps.setLong(2, orphan);
                steps.executeUpdate();
                execution.setTimestamp(1, at);
                execution.setTimestamp(2, at);
                execution.setLong(3, orphan);
                execution.executeUpdate();
            }
        }
        return orphans.size();
    }

    private static boolean isOf(String hostId, String parameters) {
        return hostId.equals(BatchTables.parameters(parameters).get(HOST));
    }

    static boolean exist(Connection connection) throws SQLException {
        try (PreparedStatement exists = connection.prepareStatement(EXISTS);
                ResultSet found = exists.executeQuery()) {
            return found.next() && found.getInt(1) > 0;
        }
    }
}
