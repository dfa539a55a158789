package org.berth.container.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.container.ContainerLabels;
import org.berth.container.ContainerMount;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerRecord;
import org.berth.container.ContainerRecord.Phase;
import org.berth.container.ContainerSettings;
import org.berth.container.ContainerState;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitObservation;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

/** The backend's answers to an engine that loses replies, forgets containers and is asked again. */
class ContainerBackendTest {
    private static final String KEY = "a".repeat(32);
    private static final Path SCRATCH = Path.of("/nowhere");

    private final Engine engine = new Engine();
    private final Rows rows = new Rows();
    private final ContainerBackend backend = backend();

    private ContainerBackend backend() {
        return new ContainerBackend(new ThisHost(), new Engines(engine), rows, Clock.systemUTC());
    }

    private static final class ThisHost extends Host {
        @Override
        public String hostId() {
            return "host-1";
        }
    }

    private static final class Engines extends ContainerEngines {
        private final ContainerEngine engine;

        Engines(ContainerEngine engine) {
            this.engine = engine;
        }

        @Override
        ContainerEngine selected() {
            return engine;
        }

        @Override
        ContainerEngine of(ContainerRecord record) {
            return engine;
        }
    }

    private static final class Rows extends ContainerLedger {
        private final Map<String, ContainerRecord> saved = new LinkedHashMap<>();
        private final List<Phase> phases = new ArrayList<>();

        @Override
        public ContainerRecord save(ContainerRecord record) {
            saved.put(record.attemptId(), record);
            phases.add(record.phase());
            return record;
        }

        @Override
        public List<ContainerRecord> live(String hostId) {
            return saved.values().stream()
                    .filter(record -> record.phase() != Phase.REMOVED)
                    .toList();
        }
    }

    /** An engine in memory whose replies can be lost. */
    private static final class Engine implements ContainerEngine {
        private final Map<String, ContainerState> containers = new LinkedHashMap<>();
        private final List<String> calls = new ArrayList<>();
        private boolean losesCreate;
        private boolean silent;
        private boolean hidesFromInspect;
        private boolean survivesRemoval;

        private static BerthException lost() {
            return BerthException.unavailable("no answer");
        }

        void put(String status, int code, Instant started) {
            ContainerState old = containers.values().iterator().next();
            containers.put(
                    old.id(),
                    new ContainerState(
                            old.id(), old.imageId(), old.name(), old.labels(), status, code, false, started));
        }

        @Override
        public String name() {
            return "engine";
        }

        @Override
        public String version() {
            return "engine 1";
        }

        @Override
        public Optional<Created> create(ContainerPlan plan, Path scratch) {
            calls.add("create " + plan.name());
            if (containers.values().stream().anyMatch(each -> each.name().equals(plan.name()))) {
                return Optional.empty();
            }
            String id = "c".repeat(63) + containers.size();
            containers.put(id, new ContainerState(id, "image", plan.name(), plan.labels(), "created", 0, false, null));
            if (losesCreate) {
                throw lost();
            }
            return Optional.of(new Created(id, 1));
        }

        @Override
        public Optional<ContainerState> find(String idOrName) {
            if (silent) {
                throw lost();
            }
            return containers.values().stream()
                    .filter(each -> each.id().equals(idOrName) || each.name().equals(idOrName))
                    .filter(each -> !hidesFromInspect)
                    .findFirst();
        }

        @Override
        public List<String> labelled(String label, String value) {
            return containers.values().stream()
                    .filter(each -> value.equals(each.labels().get(label)))
                    .map(ContainerState::id)
                    .toList();
        }

        @Override
        public void stop(String id, int graceMillis) {
            calls.add("stop " + id);
        }

        @Override
        public void kill(String id) {
            calls.add("kill " + id);
            put("exited", 137, containers.get(id).startedAt());
        }

        @Override
        public void remove(String id) {
            calls.add("remove " + id);
            if (!survivesRemoval) {
                containers.remove(id);
            }
        }
    }

    private static Attempt attempt() {
        return new Attempt(
                "attempt-1",
                "action-1",
                "owner-1",
                1,
                "key-1",
                "d".repeat(64),
                "{}",
                KEY,
                "b".repeat(32),
                "host-1",
                "default",
                "podman:/bin/true",
                null,
                null,
                null,
                List.of(),
                ExecutionState.STARTING,
                CleanupState.PENDING,
                Capability.CONTAINED_TREE,
                Capability.CONTAINED_TREE,
                ExitObservation.INDEPENDENT,
                "runner",
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                0);
    }

    private static ContainerPlan plan() {
        return new ContainerPlan(
                ContainerLabels.name(KEY),
                "image",
                List.of("/bin/true"),
                Map.of(),
                ContainerMount.plan(Path.of("/srv/home"), List.of()),
                Path.of("/srv/home"),
                false,
                true,
                ContainerLabels.of(attempt()),
                ContainerSettings.NONE);
    }

    private ContainerRecord created() {
        return backend.create(attempt(), plan(), SCRATCH).record();
    }

    private static void refused(ProblemCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void the_intent_is_recorded_before_and_the_identity_after() {
        ContainerRecord record = created();
        assertThat(rows.phases).containsExactly(Phase.INTENDED, Phase.CREATED);
        assertThat(record.containerId()).hasSize(64);
        assertThat(record.imageId()).isEqualTo("image");
        assertThat(backend.find(KEY)).contains(record);
    }

    @Test
    void a_lost_reply_is_answered_by_the_name_and_never_by_a_second_container() {
        engine.losesCreate = true;
        ContainerRecord record = created();
        assertThat(record.phase()).isEqualTo(Phase.CREATED);
        assertThat(engine.containers).hasSize(1);
        engine.losesCreate = false;
        assertThat(created().containerId()).isEqualTo(record.containerId());
        assertThat(engine.containers).hasSize(1);
    }

    @Test
    void a_name_of_somebody_else_is_a_conflict() {
        engine.containers.put(
                "x", new ContainerState("x", "image", ContainerLabels.name(KEY), Map.of(), "created", 0, false, null));
        refused(ProblemCode.CONFLICT, this::created);
        assertThat(engine.containers).containsOnlyKeys("x");
    }

    @Test
    void a_container_that_runs_without_its_client_is_killed_by_its_id_and_seen_ended() {
        ContainerRecord record = created();
        engine.put("running", 0, Instant.now());
        ContainerBackend.Settled settled = backend.settle(record, false);
        assertThat(settled).isEqualTo(new ContainerBackend.Settled(new Exit.Signalled(9), true));
        assertThat(engine.calls).contains("kill " + record.containerId());
        assertThat(rows.saved.get("attempt-1").killOrdered()).isTrue();
    }

    @Test
    void the_container_tells_the_code() {
        ContainerRecord record = created();
        engine.put("exited", 7, Instant.now());
        assertThat(backend.settle(record, true).exit()).isEqualTo(new Exit.Exited(7));
        assertThat(engine.calls).noneMatch(call -> call.startsWith("kill"));
        assertThat(rows.saved.get("attempt-1").startedAt()).isNotNull();
    }

    @Test
    void one_that_never_started_can_never_start() {
        ContainerRecord record = created();
        assertThat(backend.settle(record, true).exit()).isInstanceOf(Exit.Unknown.class);
        assertThat(engine.containers).isEmpty();
    }

    @Test
    void one_that_is_gone_has_no_code() {
        ContainerRecord record = created();
        engine.containers.clear();
        assertThat(backend.settle(record, true).exit()).isInstanceOf(Exit.Unknown.class);
    }

    @Test
    void a_silent_engine_proves_nothing() {
        ContainerRecord record = created();
        engine.silent = true;
        refused(ProblemCode.UNAVAILABLE, () -> backend.settle(record, true));
        refused(ProblemCode.UNAVAILABLE, () -> backend.remove(record));
        assertThat(backend.find(KEY)).isPresent();
    }

    @Test
    void another_start_under_the_same_id_is_another_container() {
        ContainerRecord record = created();
        engine.put("running", 0, Instant.parse("2026-01-01T00:00:00Z"));
        backend.observe(record);
        ContainerRecord started = backend.find(KEY).orElseThrow();
        engine.put("running", 0, Instant.parse("2026-01-01T00:00:01Z"));
        refused(ProblemCode.CONFLICT, () -> backend.observe(started));
        refused(ProblemCode.CONFLICT, () -> backend.remove(started));
        assertThat(engine.calls).noneMatch(call -> call.startsWith("remove") || call.startsWith("kill"));
    }

    @Test
    void absence_is_proven_twice() {
        ContainerRecord record = created();
        engine.put("exited", 0, Instant.now());
        assertThat(backend.remove(record)).contains(record.containerId());
        assertThat(rows.phases.getLast()).isEqualTo(Phase.REMOVED);
        assertThat(backend.find(KEY)).isEmpty();
    }

    @Test
    void a_listing_that_still_has_it_refuses_the_proof() {
        ContainerRecord record = created();
        engine.hidesFromInspect = true;
        refused(ProblemCode.CONFLICT, () -> backend.remove(record));
        engine.hidesFromInspect = false;
        engine.survivesRemoval = true;
        refused(ProblemCode.CONFLICT, () -> backend.remove(record));
        assertThat(backend.find(KEY)).isPresent();
    }

    @Test
    void one_that_runs_is_not_removed() {
        ContainerRecord record = created();
        engine.put("running", 0, Instant.now());
        refused(ProblemCode.CONFLICT, () -> backend.remove(record));
        assertThat(engine.containers).hasSize(1);
    }

    @Test
    void an_intent_whose_container_never_came_is_proven_absent_by_name_and_listing() {
        created();
        engine.containers.clear();
        ContainerRecord record = rows.saved.get("attempt-1");
        ContainerRecord intent = new ContainerRecord(
                record.attemptId(),
                KEY,
                "host-1",
                "engine",
                record.name(),
                null,
                null,
                record.labels(),
                Phase.INTENDED,
                false,
                false,
                Instant.now(),
                null);
        assertThat(backend.remove(intent)).contains(record.name());
    }

    @Test
    void a_new_server_knows_what_the_old_one_recorded() {
        ContainerRecord record = created();
        assertThat(backend().find(KEY)).contains(record);
    }
}
