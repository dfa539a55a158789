package org.berth.environment.service;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.berth.environment.service.EnvironmentFixture.Answer;
import org.berth.persistence.TestDatabase;
import org.berth.work.Actor;
import org.berth.work.WorkNotes;
import org.berth.work.WorkSelection;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * Create, project and export over a database, a provider and host files that all lie in one directory: once in a process
 * that dies on the way, and once more after it.
 */
final class DurableRun implements AutoCloseable, EnvironmentFixture.Database, WorkNotes {
    private static final String BODY = "{\"task\":\"task-one\"}";

    final DurableDriver driver;
    final EnvironmentFixture fixture;
    private final JdbcConnectionPool pool;
    private final EntityManagerFactory factory;
    private EntityManager current;

    DurableRun(Path directory) {
        pool = JdbcConnectionPool.create("jdbc:h2:file:" + directory.resolve("berth") + ";WRITE_DELAY=0", "berth", "");
        factory = TestDatabase.factory(pool);
        inTransaction(entities -> entities.createNativeQuery("create table if not exists notes (text clob not null)")
                .executeUpdate());
        driver = new DurableDriver(directory);
        fixture = new EnvironmentFixture(driver, this, this, directory);
    }

    /** The statuses of create, project and export; the later ones are left out once one is not confirmed. */
    public static void main(String[] arguments) {
        try (DurableRun run = new DurableRun(Path.of(arguments[0]))) {
            run.all();
        }
    }

    List<Answer> all() {
        Answer created = fixture.create();
        if (created.status() == 202) {
            return List.of(created);
        }
        Answer projected =
                fixture.project("generation-one", List.of(fixture.file("role.md", "guidance", "work/CLAUDE.md")));
        driver.store(EnvironmentFixture.GUEST + "work/artifacts/report.json", BODY.getBytes(StandardCharsets.UTF_8));
        Map<String, Object> export = new LinkedHashMap<>();
        export.put("operationId", "export-one");
        export.put("taskId", "task-one");
        export.put("generation", "generation-one");
        export.put("path", "report.json");
        export.put("sha256", EnvironmentFixture.hash(BODY));
        export.put("bytes", (long) BODY.length());
        export.put(
                "schema",
                Map.of("format", "json-object/v1", "fields", Map.of("task", "string"), "required", List.of("task")));
        export.put("context", Map.of("task", "task-one"));
        return List.of(created, projected, fixture.export(export, EnvironmentFixture.COORDINATOR));
    }

    List<?> notes() {
        return reading(entities -> entities.createNativeQuery("select text from notes", String.class)
                .getResultList());
    }

    @Override
    public <T> T inTransaction(Function<EntityManager, T> work) {
        try (EntityManager entities = factory.createEntityManager()) {
            current = entities;
            entities.getTransaction().begin();
            try {
                T result = work.apply(entities);
                entities.getTransaction().commit();
                return result;
            } finally {
                current = null;
                if (entities.getTransaction().isActive()) {
                    entities.getTransaction().rollback();
                }
            }
        }
    }

    @Override
    public <T> T reading(Function<EntityManager, T> work) {
        try (EntityManager entities = factory.createEntityManager()) {
            return work.apply(entities);
        }
    }

    @Override
    public Optional<WorkSelection> find(String qitemId) {
        return Optional.of(MemoryWork.TASK);
    }

    @Override
    public Optional<WorkSelection> lock(String qitemId) {
        return find(qitemId);
    }

    /** Joins the transaction of the receipt. */
    @Override
    public void note(String qitemId, Actor actor, String note) {
        current.createNativeQuery("insert into notes (text) values (:text)")
                .setParameter("text", note)
                .executeUpdate();
    }

    @Override
    public void close() {
        factory.close();
        pool.dispose();
    }
}
