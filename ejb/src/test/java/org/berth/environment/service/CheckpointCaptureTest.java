package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.BindingRecord;
import org.berth.environment.CheckpointCapture.Step;
import org.berth.environment.CheckpointUses;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.driver.TestFiles;
import org.berth.host.service.Host;
import org.berth.persistence.TestDatabase;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of a checkpoint one by one, its refusals, and its removal; the batch runtime is played by {@link Job}. */
class CheckpointCaptureTest {
    private static final String NATIVE = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    private static final String GENERATION = "generation-one";
    private static final String HISTORY = "native/projects/-sandbox-openrig-work/" + NATIVE + ".jsonl";
    private static final String RECORD =
            "{\"sessionId\":\"" + NATIVE + "\",\"type\":\"user\",\"message\":{\"content\":\"retained context\"}}\n";

    @TempDir
    Path directory;

    private final Job job = new Job();
    private final List<CheckpointUses> users = new ArrayList<>();
    private EnvironmentFixture f;
    private CheckpointJournal journal;
    private RetainedCheckpoints retained;
    private CheckpointFiles files;
    private CheckpointSteps steps;
    private CheckpointService service;
    private CheckpointArchive archive;

    /** Runs the steps in the caller's thread, and again only those that did not complete. */
    private final class Job extends CheckpointJobs {
        private final Map<String, Integer> completed = new LinkedHashMap<>();
        private final List<Step> run = new ArrayList<>();
        private Step diesAfter;
        private long execution;

        @Override
        public synchronized long ensure(String operationId, String hostId, long executionId) {
            execution++;
            for (Step step : Step.values()) {
                if (step.ordinal() < completed.getOrDefault(operationId, 0)) {
                    continue;
                }
                run.add(step);
                try {
                    steps.perform(step, operationId, execution);
                } catch (BerthException e) {
                    break;
                }
                if (step == diesAfter) {
                    break;
                }
                completed.put(operationId, step.ordinal() + 1);
            }
            return execution;
        }

        @Override
        public boolean runs(long executionId) {
            return false;
        }

        @Override
        public List<Map<String, Object>> executions(long executionId) {
            return List.of();
        }
    }

    @BeforeEach
    void aWorker() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
        f.create();
        f.launched(NATIVE, GENERATION);
        f.guest(HISTORY, RECORD);
        Host host = new Host() {
            @Override
            public String hostId() {
                return "host-1";
            }

            @Override
            public Path stateRoot() {
                return f.root.resolve("state");
            }
        };
        journal = new CheckpointJournal(f.journal);
        retained = new RetainedCheckpoints(f.journal, new TestFiles(f.root));
        files = new CheckpointFiles(host);
        steps = new CheckpointSteps(f.reader, journal, f.launches, retained, files);
        service = new CheckpointService(f.reader, journal, f.launches, retained, job);
        users.add(new JournalCheckpointUses(f.journal));
        archive = new CheckpointArchive(f.journal, files, job, host) {
            @Override
            Iterable<CheckpointUses> users() {
                return users;
            }
        };
    }

    private Map<String, Object> take(String id) {
        return ((CheckpointService.Outcome.Recorded)
                        service.take("binding-one", id, GENERATION, EnvironmentFixture.COORDINATOR))
                .receipt();
    }

    private Path kept(String id) {
        return f.root.resolve("state/checkpoints/binding-one/" + id + "/history-0.jsonl");
    }

    private OperationState state(String id) {
        return journal.find(id).map(EnvironmentOperation::state).orElseThrow();
    }

    @Test
    void retains_verified_private_history_bytes_and_nonsecret_exact_references() throws IOException {
        Map<String, Object> receipt = take("checkpoint-one");

        assertThat(receipt)
                .containsEntry("version", 1L)
                .containsEntry("nativeId", NATIVE)
                .containsEntry("nativeType", "community:openshell-claude")
                .containsEntry("predecessorResourceId", "immutable-resource-1");
        assertThat(kept("checkpoint-one")).hasContent(RECORD);
        assertThat(receipt.toString()).doesNotContain("retained context");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept("checkpoint-one"))))
                .isEqualTo("rw-------");
        EnvironmentCheckpoint found = retained.find("checkpoint-one").orElseThrow();
        assertThat(retained.newest("binding-one")).contains(found);
        assertThat(retained.history(found)).asString(StandardCharsets.UTF_8).isEqualTo(RECORD);
        assertThat(job.run).containsExactly(Step.values());
    }

    @Test
    void a_retry_takes_the_prefix_that_was_selected_first_however_the_history_grew() {
        job.diesAfter = Step.SELECT;
        assertThat(code(() -> take("checkpoint-one"))).isEqualTo(ProblemCode.ENVIRONMENT_UNCONFIRMED);
        f.guest(HISTORY, RECORD + RECORD.replace("retained", "later"));
        job.diesAfter = null;

        take("checkpoint-one");

        assertThat(kept("checkpoint-one")).hasContent(RECORD);
        assertThat(Files.exists(kept("checkpoint-one"))).isTrue();
    }

    @Test
    void a_history_that_was_rewritten_below_the_prefix_is_refused_and_stays_open() {
        job.diesAfter = Step.SELECT;
        assertThat(code(() -> take("checkpoint-one"))).isEqualTo(ProblemCode.ENVIRONMENT_UNCONFIRMED);
        job.diesAfter = null;
        f.guest(HISTORY, RECORD.replace("retained", "REWRITTEN"));

        assertThat(code(() -> take("checkpoint-one"))).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED);
        assertThat(state("checkpoint-one")).isEqualTo(OperationState.REQUESTED);
        assertThat(kept("checkpoint-one")).doesNotExist();
        assertThat(retained.find("checkpoint-one")).isEmpty();
        f.guest(HISTORY, RECORD);
        take("checkpoint-one");
    }

    @Test
    void kept_bytes_are_used_again_without_the_guest() {
        job.diesAfter = Step.TRANSFER;
        assertThat(code(() -> take("checkpoint-one"))).isEqualTo(ProblemCode.ENVIRONMENT_UNCONFIRMED);
        job.diesAfter = null;
        f.driver.resources.clear();

        take("checkpoint-one");

        assertThat(kept("checkpoint-one")).hasContent(RECORD);
    }

    @Test
    void two_histories_and_another_native_are_refused_before_anything_is_kept() {
        f.guest("native/projects/other/" + NATIVE + ".jsonl", RECORD);
        assertThat(code(() -> take("two"))).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID);
        f.driver.files.remove(EnvironmentFixture.GUEST + "native/projects/other/" + NATIVE + ".jsonl");
        f.driver.nativeGeneration = "another";
        assertThat(code(() -> take("changed"))).isEqualTo(ProblemCode.ENVIRONMENT_NATIVE_CHANGED);
        f.driver.nativeGeneration = GENERATION;

        assertThat(f.root.resolve("state/checkpoints")).doesNotExist();
        take("two");
        take("changed");
    }

    @Test
    void a_frozen_history_of_another_conversation_ends_the_operation_for_good() {
        f.guest(HISTORY, RECORD + RECORD.replace(NATIVE, "another"));
        assertThat(code(() -> take("foreign"))).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH);
        f.guest(HISTORY, RECORD);

        int before = job.run.size();
        assertThat(code(() -> take("foreign"))).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH);
        assertThat(job.run).hasSize(before);
        assertThat(state("foreign")).isEqualTo(OperationState.REFUSED);
        assertThat(archive.show("foreign"))
                .containsEntry("state", "refused")
                .containsEntry("code", "environment_checkpoint_identity_mismatch")
                .containsEntry("status", 409);
    }

    @Test
    void a_binding_with_other_compute_ends_the_operation() {
        job.diesAfter = Step.TRANSFER;
        assertThat(code(() -> take("checkpoint-one"))).isEqualTo(ProblemCode.ENVIRONMENT_UNCONFIRMED);
        job.diesAfter = null;
        f.journal.step(store -> {
            store.save(store.find("binding-one").orElseThrow().projected(List.of(), "generation-two"));
            return null;
        });

        job.ensure("checkpoint-one", "host-1", 0);

        assertThat(state("checkpoint-one")).isEqualTo(OperationState.REFUSED);
        assertThat(journal.find("checkpoint-one").orElseThrow().refusal()).isEqualTo("environment_generation_changed");
    }

    @Test
    void a_link_in_the_way_of_the_private_directory_is_refused() throws IOException {
        Path elsewhere = Files.createDirectory(f.root.resolve("elsewhere"));
        Files.createDirectories(f.root.resolve("state/checkpoints"));
        Files.createSymbolicLink(f.root.resolve("state/checkpoints/binding-one"), elsewhere);

        assertThat(code(() -> take("linked"))).isEqualTo(ProblemCode.ENVIRONMENT_STATE_SYMLINK);
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void removal_follows_no_link_and_leaves_what_lies_behind_it() throws IOException {
        take("checkpoint-one");
        Path elsewhere = Files.createDirectory(f.root.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("precious"), "precious");
        Files.createSymbolicLink(kept("checkpoint-one").resolveSibling("link"), elsewhere);

        archive.remove("checkpoint-one", EnvironmentFixture.COORDINATOR);

        assertThat(elsewhere.resolve("precious")).hasContent("precious");
        assertThat(kept("checkpoint-one").getParent()).doesNotExist();
        assertThat(retained.find("checkpoint-one")).isEmpty();
        assertThat(retained.newest("binding-one")).isEmpty();
        assertThat(code(() -> take("checkpoint-one"))).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING);
    }

    @Test
    void a_failed_capture_can_be_given_up() {
        f.driver.nativeGeneration = "another";
        assertThat(code(() -> take("failed"))).isEqualTo(ProblemCode.ENVIRONMENT_NATIVE_CHANGED);

        archive.remove("failed", EnvironmentFixture.COORDINATOR);

        f.driver.nativeGeneration = GENERATION;
        assertThat(code(() -> take("failed"))).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING);
        assertThat(archive.page(null, null, 10))
                .extracting(each -> each.get("state"))
                .containsExactly("removed");
    }

    @Test
    void what_an_open_recreation_or_its_resume_needs_stays() {
        take("checkpoint-one");
        Map<String, Object> request = Map.of("checkpointId", "checkpoint-one");
        journalled("recreate-one", OperationState.REQUESTED, request, null);
        assertInUse("recreation recreate-one");
        f.journal.step(store -> store.confirm(
                "recreate-one", CanonicalJson.write(Map.of("successorResourceId", "immutable-resource-1"))));
        assertThat(archive.show("checkpoint-one").get("uses"))
                .as("this compute carried a launch")
                .isEqualTo(List.of());
        journalled(
                "recreate-two",
                OperationState.CONFIRMED,
                request,
                Map.of("successorResourceId", "immutable-resource-2"));
        assertThat(archive.show("checkpoint-one").get("uses")).isEqualTo(List.of());
        f.journal.step(store -> {
            BindingRecord bound = store.lock("binding-one").orElseThrow();
            store.save(bound.recreated(
                    bound.binding().placement(),
                    new EnvironmentResource(
                            "immutable-resource-2", "worker-one", "workspace", "Ready", null, "effect-two")));
            return null;
        });
        assertInUse("the resume on compute of recreation recreate-two");
        f.journal.step(store -> {
            store.save(store.lock("binding-one").orElseThrow().released());
            return null;
        });
        assertThat(archive.show("checkpoint-one").get("uses"))
                .as("this compute was deleted before it carried a launch")
                .isEqualTo(List.of());

        users.add(_ -> List.of("snapshot 7"));
        assertInUse("snapshot 7");
        assertThat(kept("checkpoint-one")).exists();
        users.removeLast();
        archive.remove("checkpoint-one", EnvironmentFixture.COORDINATOR);
        assertThat(kept("checkpoint-one")).doesNotExist();
    }

    @Test
    void leftovers_of_dead_captures_are_swept_and_kept_bytes_stay() throws IOException {
        take("checkpoint-one");
        take("checkpoint-two");
        Path stage = kept("checkpoint-one").resolveSibling(".capture-dead");
        Files.writeString(stage, "half");

        int removed = files.sweep((binding, checkpoint) -> checkpoint.equals("checkpoint-two"));

        assertThat(removed).isEqualTo(1);
        assertThat(stage).doesNotExist();
        assertThat(kept("checkpoint-one")).hasContent(RECORD);
        assertThat(kept("checkpoint-two").getParent()).doesNotExist();
        assertThat(files.usage("binding-one", "checkpoint-one"))
                .isEqualTo(new CheckpointFiles.Usage(RECORD.length(), 1));
    }

    private void assertInUse(String use) {
        BerthException refused = catchThrowableOfType(
                BerthException.class, () -> archive.remove("checkpoint-one", EnvironmentFixture.COORDINATOR));
        assertThat(refused.code()).isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_IN_USE);
        assertThat(refused).hasMessageContaining(use);
    }

    private void journalled(String id, OperationState state, Map<String, Object> request, Map<String, Object> receipt) {
        f.journal.step(store -> {
            store.append(
                    store.find("binding-one").orElseThrow(),
                    new EnvironmentOperation(
                            id,
                            "binding-one",
                            OperationKind.RECREATE,
                            CanonicalJson.write(request),
                            null,
                            state,
                            receipt == null ? null : CanonicalJson.write(receipt),
                            null,
                            null,
                            f.journal.now()));
            return null;
        });
    }

    private static ProblemCode code(ThrowingCallable call) {
        return catchThrowableOfType(BerthException.class, call).code();
    }
}
