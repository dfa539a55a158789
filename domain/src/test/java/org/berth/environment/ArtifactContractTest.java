package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ArtifactContractTest {
    @Test
    void a_whole_contract_is_accepted() {
        assertThatCode(() -> ArtifactContract.require(request(Map.of()))).doesNotThrowAnyException();
    }

    @Test
    void each_part_is_refused_with_its_code() {
        refused(Map.of("operationId", "a b"), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(Map.of("taskId", ""), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(Map.of("generation", 7L), ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        refused(Map.of("path", "../../native/history.jsonl"), ProblemCode.INVALID_ENVIRONMENT_PATH);
        refused(Map.of("sha256", "A".repeat(64)), ProblemCode.INVALID_ARTIFACT_CONTRACT);
        refused(Map.of("bytes", 0L), ProblemCode.INVALID_ARTIFACT_CONTRACT);
        refused(Map.of("bytes", 1_048_577L), ProblemCode.INVALID_ARTIFACT_CONTRACT);
        refused(Map.of("bytes", new BigDecimal("1.5")), ProblemCode.INVALID_ARTIFACT_CONTRACT);
        refused(Map.of("schema", "none"), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("format", "json/v2"), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("fields", List.of()), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("fields", Map.of("task", "object")), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("fields", Map.of("task", 7L)), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("required", "task"), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("required", List.of("unknown")), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("required", Arrays.asList("task", null)), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(schema("fields", fields(101)), ProblemCode.INVALID_ARTIFACT_SCHEMA);
        refused(Map.of("context", List.of()), ProblemCode.INVALID_ARTIFACT_CONTEXT);
        refused(Map.of("context", Map.of("unknown", 1L)), ProblemCode.INVALID_ARTIFACT_CONTEXT);
        refused(Map.of("context", Map.of("task", List.of())), ProblemCode.INVALID_ARTIFACT_CONTEXT);
        Map<String, Object> absent = new HashMap<>();
        absent.put("task", null);
        refused(Map.of("context", absent), ProblemCode.INVALID_ARTIFACT_CONTEXT);
    }

    @Test
    void a_contract_is_refused_before_its_schema_and_that_before_its_context() {
        refused(Map.of("bytes", 0L, "schema", "none", "context", "none"), ProblemCode.INVALID_ARTIFACT_CONTRACT);
        refused(Map.of("schema", "none", "context", "none"), ProblemCode.INVALID_ARTIFACT_SCHEMA);
    }

    @Test
    void a_body_must_have_its_required_fields_their_types_and_the_context() {
        ArtifactRequest request = request(Map.of());
        assertThatCode(() -> ArtifactContract.requireBody(
                        request, Map.of("task", "task-one", "revision", new BigDecimal("2.0"), "more", new Object())))
                .doesNotThrowAnyException();
        mismatch(() -> ArtifactContract.requireBody(request, Map.of("task", "task-one")));
        mismatch(() -> ArtifactContract.requireBody(request, Map.of("task", 1L, "revision", 2L)));
        mismatch(() -> ArtifactContract.requireBody(request, Map.of("task", new Object(), "revision", 2L)));
        problem(
                () -> ArtifactContract.requireBody(request, Map.of("task", "task-one", "revision", 3L)),
                ProblemCode.ARTIFACT_CONTEXT_MISMATCH);
    }

    private static ArtifactRequest request(Map<String, Object> changes) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operationId", "export-one");
        body.put("taskId", "task-one");
        body.put("generation", "generation-one");
        body.put("path", "report.json");
        body.put("sha256", "a".repeat(64));
        body.put("bytes", 10L);
        body.put("schema", schemaTree());
        body.put("context", Map.of("task", "task-one", "revision", 2L));
        body.putAll(changes);
        return EnvironmentBodies.artifact(body);
    }

    private static Map<String, Object> schema(String name, Object value) {
        Map<String, Object> schema = schemaTree();
        schema.put(name, value);
        return Map.of("schema", schema);
    }

    private static Map<String, Object> schemaTree() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("format", "json-object/v1");
        schema.put("fields", Map.of("task", "string", "revision", "number", "note", "string"));
        schema.put("required", List.of("task", "revision"));
        return schema;
    }

    private static Map<String, Object> fields(int count) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", "string");
        fields.put("revision", "number");
        for (int i = 2; i < count; i++) {
            fields.put("f" + i, "string");
        }
        return fields;
    }

    private static void refused(Map<String, Object> changes, ProblemCode code) {
        problem(() -> ArtifactContract.require(request(changes)), code);
    }

    private static void mismatch(ThrowingCallable call) {
        problem(call, ProblemCode.ARTIFACT_SCHEMA_MISMATCH);
    }

    private static void problem(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
