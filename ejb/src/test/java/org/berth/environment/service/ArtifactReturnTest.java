package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.ArtifactContract;
import org.berth.environment.EnvironmentBodies;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.service.EnvironmentFixture.Answer;
import org.berth.persistence.TestDatabase;
import org.berth.work.Actor;
import org.berth.work.WorkSelection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference's "managed environment artifact return", on the services. */
class ArtifactReturnTest {
    private static final String BODY = "{\"task\":\"task-one\",\"revision\":2,\"report\":\"actual artifact bytes\"}";

    @TempDir
    Path directory;

    private EnvironmentFixture f;
    private MemoryWork work;
    private Map<String, Object> input;

    @BeforeEach
    void prepared() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
        work = (MemoryWork) f.work;
        assertThat(f.create().status()).isEqualTo(201);
        work.items.put("task-one", MemoryWork.TASK);
        assertThat(f.project("generation-one", List.of()).status()).isEqualTo(200);
        f.guest("work/artifacts/report.json", BODY);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", "string");
        fields.put("revision", "number");
        fields.put("report", "string");
        Map<String, Object> context = new HashMap<>();
        context.put("task", "task-one");
        context.put("revision", 2L);
        input = new LinkedHashMap<>();
        input.put("operationId", "export-one");
        input.put("taskId", "task-one");
        input.put("generation", "generation-one");
        input.put("path", "report.json");
        input.put("sha256", EnvironmentFixture.hash(BODY));
        input.put("bytes", (long) BODY.length());
        input.put(
                "schema",
                new HashMap<>(Map.of(
                        "format",
                        "json-object/v1",
                        "fields",
                        fields,
                        "required",
                        List.of("task", "revision", "report"))));
        input.put("context", context);
    }

    @Test
    void verified_bytes_are_published_once_and_a_durable_receipt_stands_on_the_work_item() {
        Answer answer = export();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .containsEntry("version", 1L)
                .containsEntry("bindingId", "binding-one")
                .containsEntry("nodeId", OneNode.WORKER.nodeId())
                .containsEntry("taskId", "task-one")
                .containsEntry("generation", "generation-one")
                .containsEntry("guestPath", "/sandbox/openrig/work/artifacts/report.json")
                .containsEntry("sha256", EnvironmentFixture.hash(BODY))
                .containsEntry("bytes", (long) BODY.length())
                .containsEntry("actor", "coordinator@environment-fixture")
                .containsEntry("identityProvenance", "transport:v1")
                .containsEntry("identityPrincipal", null);
        assertThat(published()).hasContent(BODY);
        assertThat(answer.body()).containsEntry("path", published().toString());
        assertThat(work.notes).singleElement().satisfies(note -> {
            assertThat(note.qitemId()).isEqualTo("task-one");
            assertThat(note.actor()).isEqualTo(EnvironmentFixture.COORDINATOR);
            assertThat(note.text()).contains("export-one", EnvironmentFixture.hash(BODY));
        });
        Answer replay = export();
        assertThat(replay.body()).isEqualTo(answer.body());
        assertThat(f.driver.reads).hasValue(1);
        assertThat(work.notes).hasSize(1);
    }

    @Test
    void a_principal_is_recorded_with_receipt_and_note() {
        Actor proven = new Actor("worker@environment-fixture", Actor.PRINCIPAL, "{\"source\":\"file\",\"id\":\"g\"}");
        assertThat(f.export(input, proven).body())
                .containsEntry("identityProvenance", "principal:v1")
                .containsEntry("identityPrincipal", "{\"source\":\"file\",\"id\":\"g\"}");
        assertThat(work.notes.getFirst().actor()).isEqualTo(proven);
    }

    @Test
    void a_publication_before_its_receipt_is_reconciled_without_the_guest() {
        f.journal.intend(
                f.reader.stored("binding-one"),
                OperationIntent.of(
                        "export-one",
                        "binding-one",
                        OperationKind.EXPORT,
                        ArtifactContract.tree(EnvironmentBodies.artifact(input)),
                        null),
                OperationState.REQUESTED);
        assertThat(published().getParent().toFile().mkdir()).isTrue();
        EnvironmentFixture.write(published(), BODY);
        f.driver.files.clear();
        f.driver.resources.clear();
        f.restart();
        Answer answer = export();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).containsEntry("sha256", EnvironmentFixture.hash(BODY));
        assertThat(f.driver.reads).hasValue(0);
        assertThat(work.notes).hasSize(1);
    }

    @Test
    void changed_host_bytes_are_refused_on_replay_and_not_overwritten() {
        assertThat(export().status()).isEqualTo(200);
        EnvironmentFixture.write(published(), "changed owner bytes");
        assertThat(export()).extracting(Answer::status, Answer::code).containsExactly(409, "artifact_bytes_changed");
        assertThat(published()).hasContent("changed owner bytes");
    }

    @Test
    void a_matching_hash_with_another_context_is_refused_without_a_receipt() {
        context().put("revision", 3L);
        assertThat(export()).extracting(Answer::status, Answer::code).containsExactly(409, "artifact_context_mismatch");
        assertThat(f.operations().getLast().receipt()).isNull();
        assertThat(published()).doesNotExist();
        assertThat(published().getParent()).isEmptyDirectory();
    }

    @Test
    void a_stale_generation_is_refused_before_the_guest_is_read() {
        input.put("generation", "older-generation");
        assertThat(export())
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_generation_changed");
        assertThat(f.driver.reads).hasValue(0);
    }

    @Test
    void nothing_outside_the_artifact_root_is_exported() {
        input.put("path", "../../native/history.jsonl");
        assertThat(export()).extracting(Answer::status, Answer::code).containsExactly(400, "invalid_environment_path");
        assertThat(f.driver.reads).hasValue(0);
    }

    @Test
    void only_the_owner_or_the_assigner_may_ask() {
        assertThat(f.export(input, new Actor("other@environment-fixture", Actor.DECLARED, null)))
                .extracting(Answer::status, Answer::code)
                .containsExactly(403, "artifact_caller_mismatch");
        assertThat(f.export(input, EnvironmentFixture.WORKER).status()).isEqualTo(200);
    }

    @Test
    void work_of_another_seat_and_unknown_work_are_refused() {
        work.items.put("task-one", new WorkSelection("task-one", "a@b", "other@environment-fixture", "pending", null));
        assertThat(export()).extracting(Answer::status, Answer::code).containsExactly(409, "artifact_task_mismatch");
        work.items.clear();
        assertThat(export().code()).isEqualTo("artifact_task_mismatch");
    }

    @Test
    void an_operation_id_is_not_used_again_with_another_contract() {
        assertThat(export().status()).isEqualTo(200);
        context().remove("revision");
        assertThat(export())
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_operation_changed");
    }

    @Test
    void an_owner_that_changes_during_the_export_gets_no_receipt() {
        f.driver.afterRead = () -> work.items.put(
                "task-one", new WorkSelection("task-one", "a@b", "other@environment-fixture", "pending", null));
        assertThat(export())
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_selection_changed");
        assertThat(published()).doesNotExist();
        assertThat(work.notes).isEmpty();
    }

    @Test
    void a_link_at_the_place_of_publication_is_not_followed() throws Exception {
        Path elsewhere = Files.createDirectory(f.root.resolve("elsewhere"));
        Files.createSymbolicLink(published().getParent(), elsewhere);
        assertThat(export())
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "artifact_publication_conflict");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void leftovers_of_dead_exports_are_swept() throws Exception {
        Files.createDirectory(published().getParent());
        EnvironmentFixture.write(published().resolveSibling(".transfer-0"), "half");
        assertThat(export().status()).isEqualTo(200);
        assertThat(published().getParent()).isDirectoryNotContaining("glob:**/.transfer-*");
    }

    @Test
    void without_an_artifact_root_the_state_root_keeps_the_artifact() {
        EnvironmentFixture other = f;
        Map<String, Object> create =
                other.named("worker-two", Map.of("bindingId", "binding-one", "operationId", "create-two"));
        create.remove("artifactRoot");
        TestDatabase.H2.clear();
        other.driver.resources.clear();
        assertThat(other.create(create).status()).isEqualTo(201);
        other.project("generation-one", List.of());
        assertThat(export().body())
                .containsEntry(
                        "path",
                        other.root
                                .resolve("state/artifacts/binding-one/task-one-export-one.json")
                                .toString());
    }

    @Test
    void bytes_that_are_no_object_of_the_schema_are_refused() {
        for (String text : List.of("[1]", "\"x\"", "{\"task\":1} rest", "{\"task\"", "\uFEFF{}", "")) {
            select(text.isEmpty() ? " " : text);
            assertThat(export().code()).as(text).isEqualTo("artifact_schema_mismatch");
        }
        select("{\"task\":\"task-one\",\"revision\":\"2\",\"report\":\"r\"}");
        assertThat(export().code()).isEqualTo("artifact_schema_mismatch");
        select("{\"task\":\"task-one\",\"revision\":2.0,\"report\":\"r\",\"more\":{\"deep\":[1,[2]]}}");
        assertThat(export().status()).isEqualTo(200);
    }

    private int next;

    private void select(String text) {
        next++;
        f.guest("work/artifacts/report.json", text);
        input.put("operationId", "export-" + next);
        input.put("sha256", EnvironmentFixture.hash(text));
        input.put("bytes", (long) text.getBytes(StandardCharsets.UTF_8).length);
    }

    private Answer export() {
        return f.export(input, EnvironmentFixture.COORDINATOR);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> context() {
        return (Map<String, Object>) input.get("context");
    }

    private Path published() {
        return f.root.resolve("exports/binding-one/task-one-export-one.json");
    }
}
