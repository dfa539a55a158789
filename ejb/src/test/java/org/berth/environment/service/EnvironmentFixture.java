package org.berth.environment.service;

import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.environment.EnvironmentBodies;
import org.berth.environment.EnvironmentConfigDecoder;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.EnvironmentTrees;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.ProjectionReceipt;
import org.berth.environment.driver.EnvironmentDrivers;
import org.berth.environment.driver.TestFiles;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.host.service.Host;
import org.berth.persistence.TestDatabase;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.work.Actor;
import org.berth.work.WorkNotes;

/**
 * The services over a real database and real host files; the provider, the queue and the rigs are in memory. Answers are
 * what the routes answer: a status and a body.
 */
final class EnvironmentFixture {
    static final Actor COORDINATOR = new Actor("coordinator@environment-fixture", Actor.DECLARED, null);
    static final Actor WORKER = new Actor("worker@environment-fixture", Actor.DECLARED, null);
    static final String GUEST = "/sandbox/openrig/";

    record Answer(int status, String code, Map<String, Object> body) {
        Map<?, ?> resource() {
            return (Map<?, ?>) body.get("resource");
        }
    }

    final InMemoryDriver driver;
    final WorkNotes work;
    final MemoryGrants grants = new MemoryGrants();
    final Path root;
    private final EnvironmentLedger ledger;

    /** Where the bindings are kept. */
    interface Database {
        <T> T inTransaction(Function<EntityManager, T> work);

        <T> T reading(Function<EntityManager, T> work);

        static Database of(TestDatabase database) {
            return new Database() {
                @Override
                public <T> T inTransaction(Function<EntityManager, T> work) {
                    return database.inTransaction(work);
                }

                @Override
                public <T> T reading(Function<EntityManager, T> work) {
                    return database.reading(work);
                }
            };
        }
    }

    CreateService creates;
    BindService binds;
    EnvironmentReader reader;
    EnvironmentJournal journal;
    LaunchJournal launches;
    ProjectionService projections;
    ExportService exports;
    EffectService effects;
    CompletionService completions;

    /** The time that completions see. */
    final SteppedClock clock = new SteppedClock();

    EnvironmentFixture(TestDatabase database, Path directory) {
        this(new InMemoryDriver(), new MemoryWork(), Database.of(database), directory);
        database.clear();
    }

    EnvironmentFixture(InMemoryDriver driver, WorkNotes work, Database database, Path directory) {
        this.driver = driver;
        this.work = work;
        try {
            root = directory.toRealPath();
            Files.writeString(root.resolve("policy.yaml"), "version: 1\n");
            Files.createDirectories(root.resolve("exports"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ledger = new EnvironmentLedger() {
            @Override
            public <T> T change(Function<EnvironmentRepository, T> step) {
                return database.inTransaction(entities -> step.apply(new EnvironmentRepository(entities)));
            }

            @Override
            public <T> T read(Function<EnvironmentRepository, T> query) {
                return database.reading(entities -> query.apply(new EnvironmentRepository(entities)));
            }
        };
        restart();
    }

    /** Builds the services anew, as a restarted server does. */
    void restart() {
        Host host = new Host() {
            @Override
            public String hostId() {
                return "host-1";
            }

            @Override
            public Path stateRoot() {
                return root.resolve("state");
            }
        };
        EnvironmentDrivers drivers = new EnvironmentDrivers() {
            @Override
            public EnvironmentDriver of(String gateway) {
                return driver;
            }
        };
        TestFiles files = new TestFiles(root);
        BindingSelection selection = new BindingSelection(files, new OneNode());
        journal = new EnvironmentJournal(ledger, Clock.systemUTC());
        reader = new EnvironmentReader(journal, drivers, host);
        CleanupInventories inventories = new CleanupInventories(journal);
        creates = new CreateService(selection, journal, reader, drivers, inventories, host);
        binds = new BindService(selection, journal, reader, host, grants.work(), grants.activity());
        launches = new LaunchJournal(journal);
        effects = new EffectService(reader, journal, launches, new DeletionEffect(reader, inventories), driver);
        completions = new CompletionService(reader, journal, effects, files, work, host, clock);
        projections = new ProjectionService(reader, journal, launches, files);
        exports = new ExportService(reader, journal, files, work, host);
    }

    Map<String, Object> input() {
        Map<String, Object> placement = new LinkedHashMap<>();
        placement.put("gateway", "gateway");
        placement.put("workspace", "workspace");
        placement.put("name", "worker-one");
        placement.put("image", "image@sha256:" + "a".repeat(64));
        placement.put("provider", "provider-ref");
        placement.put("policy", root.resolve("policy.yaml").toString());
        Map<String, Object> input = new LinkedHashMap<>();
        input.put("version", 1L);
        input.put("bindingId", "binding-one");
        input.put("operationId", "create-one");
        input.put("nodeId", OneNode.WORKER.nodeId());
        input.put("seat", OneNode.WORKER.seat());
        input.put("artifactRoot", root.resolve("exports").toString());
        input.put("baseRuntime", "claude-code");
        input.put("guestRoot", "/sandbox/openrig");
        input.put("guestBaseUrl", "http://host.test:7782");
        input.put("placement", placement);
        return input;
    }

    /** {@link #input} with other members. */
    Map<String, Object> input(Map<String, Object> changes) {
        Map<String, Object> input = input();
        input.putAll(changes);
        return input;
    }

    /** {@link #input} with another name. */
    Map<String, Object> named(String name, Map<String, Object> changes) {
        Map<String, Object> input = input(changes);
        Map<String, Object> placement = new HashMap<>();
        ((Map<?, ?>) input.get("placement")).forEach((key, value) -> placement.put((String) key, value));
        placement.put("name", name);
        input.put("placement", placement);
        return input;
    }

    Answer create() {
        return create(input());
    }

    Answer create(Map<String, Object> body) {
        return answered(() -> switch (creates.create(
                EnvironmentConfigDecoder.decode(body), EnvironmentBodies.text(body, "operationId"), COORDINATOR)) {
            case CreateOutcome.Created made -> binding(201, null, made);
            case CreateOutcome.Existing found -> binding(200, null, found);
            case CreateOutcome.Unconfirmed open -> binding(202, open.code().wire(), open);
        });
    }

    Answer attach(Map<String, Object> body) {
        return answered(() -> {
            BindService.Attached attached = binds.attach(
                    EnvironmentConfigDecoder.decode(body),
                    EnvironmentBodies.text(body, "operationId"),
                    EnvironmentBodies.text(body, "resourceId"),
                    EnvironmentBodies.text(body, "fingerprint"),
                    COORDINATOR);
            return new Answer(
                    attached.fresh() ? 201 : 200,
                    null,
                    EnvironmentTrees.binding(attached.binding().binding()));
        });
    }

    Answer inspect(String bindingId) {
        return answered(() -> new Answer(
                200, null, EnvironmentTrees.binding(reader.stored(bindingId).binding())));
    }

    Answer project(String generation, List<Map<String, Object>> files) {
        return answered(() -> {
            List<ProjectionReceipt> receipts = projections.project(
                    "binding-one", "projection-one", generation, EnvironmentBodies.projection(Map.of("files", files)));
            return new Answer(200, null, EnvironmentTrees.projection("binding-one", generation, receipts));
        });
    }

    /** Projects nothing and confirms the launch of {@code nativeId} as {@code generation}. */
    void launched(String nativeId, String generation) {
        if (project(generation, List.of()).status() != 200) {
            throw new AssertionError("the projection was refused");
        }
        driver.nativeId = nativeId;
        driver.nativeGeneration = generation;
        Map<String, Object> receipt = new LinkedHashMap<>();
        receipt.put(
                "resourceId", reader.stored("binding-one").binding().resource().id());
        receipt.put("generation", generation);
        receipt.put("nativeType", EnvironmentRules.NATIVE_TYPE);
        receipt.put("nativeId", nativeId);
        String json = CanonicalJson.write(receipt);
        confirmed(LaunchJournal.operationId(generation), OperationKind.LAUNCH, json);
    }

    /** Journals an operation of the binding that is over. */
    void confirmed(String operationId, OperationKind kind, String receipt) {
        journal.step(store -> {
            store.append(
                    store.find("binding-one").orElseThrow(),
                    new EnvironmentOperation(
                            operationId,
                            "binding-one",
                            kind,
                            receipt,
                            null,
                            OperationState.CONFIRMED,
                            receipt,
                            null,
                            null,
                            journal.now()));
            return null;
        });
    }

    EnvironmentOperation operation(String operationId) {
        return journal.read(store -> store.operation(operationId)).orElse(null);
    }

    Answer validate(String generation) {
        return answered(() -> {
            projections.validate("binding-one", generation);
            return new Answer(200, null, Map.of());
        });
    }

    Answer unbind(String bindingId) {
        return answered(() -> {
            binds.unbind(bindingId);
            return new Answer(204, null, Map.of());
        });
    }

    Answer export(Map<String, Object> body, Actor actor) {
        return answered(
                () -> new Answer(200, null, exports.export("binding-one", EnvironmentBodies.artifact(body), actor)));
    }

    List<EnvironmentOperation> operations() {
        return reader.operations(reader.stored("binding-one"));
    }

    /** Writes a host file and selects it for {@code path}. */
    Map<String, Object> file(String name, String text, String path) {
        Path source = root.resolve(name);
        write(source, text);
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("source", source.toString());
        file.put("path", path);
        file.put("sha256", hash(text));
        file.put("required", true);
        return file;
    }

    void guest(String path, String text) {
        driver.files.put(GUEST + path, text.getBytes(StandardCharsets.UTF_8));
    }

    static String hash(String text) {
        return CanonicalJson.sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer binding(int status, String code, CreateOutcome outcome) {
        return new Answer(
                status, code, EnvironmentTrees.binding(outcome.binding().binding()));
    }

    private static Answer answered(Supplier<Answer> call) {
        try {
            return call.get();
        } catch (BerthException e) {
            return new Answer(e.status(), e.code().wire(), Map.of());
        }
    }
}
