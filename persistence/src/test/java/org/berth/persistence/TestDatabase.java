package org.berth.persistence;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** Each database that Berth supports, migrated and validated as in the server; one of each in a test run. */
public enum TestDatabase {
    H2 {
        @Override
        DataSource create() {
            try {
                Path directory = Files.createTempDirectory("berth-h2");
                JdbcConnectionPool pool = JdbcConnectionPool.create(
                        "jdbc:h2:file:" + directory.resolve("berth") + ";WRITE_DELAY=0", "berth", "");
                pool.setMaxConnections(16);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    pool.dispose();
                    delete(directory);
                }));
                return pool;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    },
    POSTGRESQL {
        @Override
        DataSource create() {
            return PostgresServer.start().newDatabase();
        }
    };

    private DataSource dataSource;
    private EntityManagerFactory factory;

    abstract DataSource create();

    /** The data source below the entity managers. */
    public synchronized DataSource dataSource() {
        if (dataSource == null) {
            dataSource = create();
        }
        return dataSource;
    }

    /** Runs {@code work} in a transaction of its own; an exception rolls it back. */
    public <T> T inTransaction(Function<EntityManager, T> work) {
        try (EntityManager entities = factory().createEntityManager()) {
            entities.getTransaction().begin();
            try {
                T result = work.apply(entities);
                entities.getTransaction().commit();
                return result;
            } finally {
                if (entities.getTransaction().isActive()) {
                    entities.getTransaction().rollback();
                }
            }
        }
    }

    /** Runs {@code work} without a transaction, as readers do. */
    public <T> T reading(Function<EntityManager, T> work) {
        try (EntityManager entities = factory().createEntityManager()) {
            return work.apply(entities);
        }
    }

    /** Empties every table. */
    public void clear() {
        factory();
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : new String[] {
                "evidence",
                "attempt_deliveries",
                "preparer_states",
                "attempts",
                "resource_grants",
                "api_tokens",
                "hosts",
                "activity_grants",
                "work_grants",
                "activity_events",
                "environment_operations",
                "environment_spent_operations",
                "environment_bindings",
                "rig_snapshot_checkpoints",
                "rig_snapshots",
                "occupants",
                "rig_nodes",
                "rigs",
                "work_transitions",
                "work_items",
                "events",
                "harness_workspaces",
                "harness_calls",
                "harness_documents",
                "harness_entries",
                "harness_sessions"
            }) {
                statement.execute("delete from " + table);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized EntityManagerFactory factory() {
        if (factory == null) {
            factory = factory(dataSource());
        }
        return factory;
    }

    /** Bootstraps the unit of {@code persistence.xml} outside a container. */
    public static EntityManagerFactory factory(DataSource dataSource) {
        return Persistence.createEntityManagerFactory(
                "berth",
                Map.of(
                        "jakarta.persistence.transactionType",
                        "RESOURCE_LOCAL",
                        "jakarta.persistence.nonJtaDataSource",
                        dataSource));
    }

    private static void delete(Path directory) {
        try (var files = Files.list(directory)) {
            for (Path each : files.toList()) {
                Files.deleteIfExists(each);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
