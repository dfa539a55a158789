package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** The rows of a work item, its first transition and its event, inserted by one thread with a commit for each item. */
final class InsertLoop {
    private static final List<String> TABLES = List.of(
            "create table items (id varchar(160) primary key, source varchar(320), destination varchar(320),"
                    + " body varchar(65536), priority varchar(16), state varchar(16), created timestamp(6) with time zone)",
            "create index newest on items (created desc, id)",
            "create index of_destination on items (destination, created desc, id)",
            "create index of_source on items (source, created desc, id)",
            "create table transitions (id varchar(160), sequence integer, state varchar(16), actor varchar(320),"
                    + " at timestamp(6) with time zone, primary key (id, sequence))",
            "create table events (id bigint primary key, type varchar(64), payload varchar(65536),"
                    + " at timestamp(6) with time zone)");

    private InsertLoop() {}

    /** On a new database file with the server's settings. */
    static double perSecond(int items) throws IOException {
        Path directory = Files.createTempDirectory("berth-bench");
        try (Connection connection =
                DriverManager.getConnection("jdbc:h2:file:" + directory.resolve("plain") + ";WRITE_DELAY=0")) {
            try (Statement statement = connection.createStatement()) {
                for (String table : TABLES) {
                    statement.execute(table);
                }
            }
            connection.setAutoCommit(false);
            insert(connection, items / 4, 0);
            long start = System.nanoTime();
            insert(connection, items, items);
            return items * 1e9 / (System.nanoTime() - start);
        } catch (SQLException e) {
            throw new BenchmarkException("the plain loop failed", e);
        } finally {
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static void insert(Connection connection, int items, int firstEvent) throws SQLException {
        try (PreparedStatement item = connection.prepareStatement("insert into items values (?,?,?,?,?,?,?)");
                PreparedStatement transition =
                        connection.prepareStatement("insert into transitions values (?,?,?,?,?)");
                PreparedStatement event = connection.prepareStatement("insert into events values (?,?,?,?)")) {
            for (int i = 0; i < items; i++) {
                String id = "bench-" + UUID.randomUUID();
                OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
                run(
                        item,
                        id,
                        "coordinator@bench",
                        "worker@bench",
                        "Return the selected report",
                        "routine",
                        "pending",
                        now);
                run(transition, id, 1, "pending", "coordinator@bench", now);
                run(event, (long) firstEvent + i, "queue.created", "{\"qitemId\":\"" + id + "\"}", now);
                connection.commit();
            }
        }
    }

    private static void run(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.executeUpdate();
    }
}
