package org.berth.preparer.service;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.berth.host.HostPolicy;
import org.berth.persistence.TestDatabase;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptKeys;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitObservation;
import org.berth.placement.ExitSource;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.placement.store.AttemptRepository;
import org.berth.placement.store.PreparerStateRepository;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.berth.preparer.WorkdirPreparer;

/** Preparers over a real database, with grants that a test sets. */
final class PreparerBench {
    static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final AtomicInteger IDS = new AtomicInteger();

    private final TestDatabase database = TestDatabase.H2;
    final List<WorkdirPreparer> known = new ArrayList<>();
    final List<String> authorised = new ArrayList<>();
    final List<Path> writeRoots = new ArrayList<>();
    final List<Evidence> refusals = new ArrayList<>();
    Path ownCopies = Path.of("/nowhere");
    boolean grantsHold = true;

    /** The next transactions that fail, as a database that is away. */
    int failing;

    PreparerBench() {
        database.clear();
    }

    Preparers preparers() {
        return new Preparers(this::policy, known, new TestGrants(), new TestLedger(), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    HostPolicy policy() {
        HostPolicy base = HostPolicy.DEFAULT;
        return new HostPolicy(
                base.placement(),
                base.resourceMode(),
                base.admittedRoots(),
                base.path(),
                authorised,
                base.sweep(),
                base.policies(),
                base.credentials(),
                base.references(),
                base.output(),
                base.logRetention(),
                base.evidenceRetention(),
                base.providerLoginWriteback(),
                base.environments(),
                base.retention(),
                base.kernelTransports());
    }

    void add(WorkdirPreparer preparer) {
        known.add(preparer);
        authorised.add(preparer.name());
    }

    PrepareRequest request(Map<String, Object> options) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("idempotency_key", "key-1");
        tree.put("owner_id", "owner");
        tree.put("owner_incarnation", 1L);
        tree.put("action_id", "action-1");
        tree.put("attempt_id", "attempt-1");
        tree.put("binding_ref", "binding/default");
        tree.put("binding_digest", "0".repeat(64));
        tree.put("policy_ref", "default");
        tree.put("profile_id", "batch");
        tree.put("profile_digest", "0".repeat(64));
        tree.put("launch", Map.of("executable", "/bin/true"));
        tree.put("options", options);
        return PrepareRequestDecoder.decode(tree);
    }

    Attempt starting() {
        String id = "attempt-" + IDS.incrementAndGet();
        Attempt attempt = new Attempt(
                id,
                "action-1",
                "owner",
                1,
                "key-of-" + id,
                "d".repeat(64),
                "{}",
                AttemptKeys.attempt("owner", id),
                "0".repeat(32),
                "host-1",
                "default",
                "/bin/true",
                null,
                null,
                null,
                List.of(),
                ExecutionState.STARTING,
                CleanupState.PENDING,
                Capability.PROCESS_GROUP,
                Capability.DIRECT_PROCESS,
                ExitObservation.INDEPENDENT,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                NOW,
                NOW,
                null,
                0);
        return database.inTransaction(entities -> new AttemptRepository(entities).insert(attempt, List.of()));
    }

    Attempt exited(Attempt attempt) {
        return database.inTransaction(entities -> {
            AttemptRepository attempts = new AttemptRepository(entities);
            Attempt newest = attempts.find(attempt.attemptId()).orElseThrow();
            Attempt ended = newest.change()
                    .executionState(ExecutionState.EXITED)
                    .exit(new Exit.Exited(0), ExitSource.RUNNER)
                    .apply();
            return attempts.save(ended, List.of());
        });
    }

    List<PreparerPhase> phases(Attempt attempt) {
        return states(attempt).stream().map(PreparerState::phase).toList();
    }

    List<PreparerState> states(Attempt attempt) {
        return database.reading(entities -> new PreparerStateRepository(entities).find(attempt.attemptId()));
    }

    List<Evidence> evidence(Attempt attempt) {
        return database.reading(entities -> new AttemptRepository(entities).evidence(attempt.attemptId(), 0, 100));
    }

    List<String> kinds(Attempt attempt) {
        return evidence(attempt).stream()
                .map(row -> row.kind().wire().substring("workdir_preparer.".length()) + " "
                        + row.detail().get("preparer"))
                .toList();
    }

    private final class TestGrants implements LaunchGrants {
        @Override
        public List<Path> writeRoots(Attempt attempt) {
            return List.copyOf(writeRoots);
        }

        @Override
        public boolean hold(Attempt attempt) {
            return grantsHold;
        }

        @Override
        public boolean isOwnCopy(Path path) {
            return path.startsWith(ownCopies);
        }
    }

    /** Each call a transaction of its own, as in the container. */
    private final class TestLedger extends PreparerLedger {
        private <T> T transaction(Function<PreparerLedger, T> work) {
            if (failing > 0) {
                failing--;
                throw new jakarta.ejb.EJBException("the database is away");
            }
            return database.inTransaction(entities -> work.apply(
                    new PreparerLedger(new AttemptRepository(entities), new PreparerStateRepository(entities))));
        }

        @Override
        public List<PreparerState> record(
                String attemptId, List<PreparerPlan> plans, List<Evidence> evidence, Instant now) {
            return transaction(ledger -> ledger.record(attemptId, plans, evidence, now));
        }

        @Override
        public boolean mark(
                PreparerState state, PreparerPhase phase, String reason, List<Evidence> evidence, Instant now) {
            return transaction(ledger -> ledger.mark(state, phase, reason, evidence, now));
        }

        @Override
        public List<PreparerState> find(String attemptId) {
            return database.reading(entities -> new PreparerLedger(
                            new AttemptRepository(entities), new PreparerStateRepository(entities))
                    .find(attemptId));
        }

        @Override
        public List<Attempt> outstanding(String hostId, int bound) {
            return database.reading(entities -> new PreparerLedger(
                            new AttemptRepository(entities), new PreparerStateRepository(entities))
                    .outstanding(hostId, bound));
        }
    }
}
