package org.berth.persistence;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import javax.sql.DataSource;

/**
 * The batch runtime's own tables, where they lie in the server's database. The runtime keeps every execution and leaves
 * their removal to SQL; steps and partitions go with their execution, which the foreign keys cascade.
 */
@ApplicationScoped
public class BatchRecords {
    private static final String EXISTS =
            "select count(*) from information_schema.tables where lower(table_name) = 'job_execution'";

    /** A job instance has one execution, since the jobs are not restartable. */
    private static final String REMOVE = "delete from job_instance where jobinstanceid in (select jobinstanceid"
            + " from job_execution where endtime < ? order by endtime fetch first %d rows only)";

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    /** In the caller's transaction. @return how many of at most {@code bound} executions that ended before the time went */
    public int remove(Instant endedBefore, int bound) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return remove(connection, endedBefore, bound);
        }
    }

    static int remove(Connection connection, Instant endedBefore, int bound) throws SQLException {
        try (PreparedStatement exists = connection.prepareStatement(EXISTS);
                ResultSet found = exists.executeQuery()) {
            if (!found.next() || found.getInt(1) == 0) {
                return 0;
            }
        }
        try (PreparedStatement remove = connection.prepareStatement(REMOVE.formatted(bound))) {
            remove.setTimestamp(1, Timestamp.from(endedBefore));
            return remove.executeUpdate();
        }
    }
}
