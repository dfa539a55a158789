package org.berth.environment;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Whether an artifact request is one, and whether bytes fulfil it. Source: environments.md, Export. */
public final class ArtifactContract {
    /** The one format: {@value}. */
    public static final String FORMAT = "json-object/v1";

    /** Where artifacts lie under the guest root: {@value}. */
    public static final String DIRECTORY = "work/artifacts";

    /** Most fields of a schema or of a context: {@value}. */
    public static final int MAX_FIELDS = 100;

    private static final Set<String> TYPES = Set.of("string", "number", "boolean");

    private ArtifactContract() {}

    /**
     * @throws BerthException invalid_environment_request, invalid_environment_path, invalid_artifact_contract,
     *     invalid_artifact_schema, invalid_artifact_context, in this order
     */
    public static void require(ArtifactRequest request) {
        EnvironmentRules.identifier(request.operationId(), "operationId");
        EnvironmentRules.identifier(request.taskId(), "taskId");
        EnvironmentRules.identifier(request.generation(), "generation");
        EnvironmentRules.relativePath(request.path());
        if (!EnvironmentRules.isSha256(request.sha256())
                || request.bytes() < 1
                || request.bytes() > EnvironmentRules.FILE_BYTES) {
            throw refused(
                    ProblemCode.INVALID_ARTIFACT_CONTRACT,
                    "sha256 must be 64 lower-case hex digits and bytes a whole number from 1 to 1048576.");
        }
        if (!isSchema(request.schema())) {
            throw refused(
                    ProblemCode.INVALID_ARTIFACT_SCHEMA,
                    "schema must be a json-object/v1 contract of at most 100 string, number or boolean fields.");
        }
        if (!isContext(request.context(), request.schema().fields())) {
            throw refused(
                    ProblemCode.INVALID_ARTIFACT_CONTEXT,
                    "context must give declared fields a string, a number or a boolean.");
        }
    }

    /** @throws BerthException artifact_bytes_changed */
    public static void requireBytes(ArtifactRequest request, byte[] bytes) {
        if (bytes.length != request.bytes() || !CanonicalJson.sha256(bytes).equals(request.sha256())) {
            throw refused(ProblemCode.ARTIFACT_BYTES_CHANGED, "The bytes are not those of the selected artifact.");
        }
    }

    /**
     * @param body the members of the artifact; a value that is no scalar may be any other object
     * @throws BerthException artifact_schema_mismatch, artifact_context_mismatch
     */
    public static void requireBody(ArtifactRequest request, Map<String, Object> body) {
        for (String field : request.schema().required()) {
            if (!body.containsKey(field)) {
                throw mismatch("The artifact lacks the field " + field + ".");
            }
        }
        request.schema().fields().forEach((field, type) -> {
            if (body.containsKey(field) && !type.equals(typeOf(body.get(field)))) {
                throw mismatch("The artifact's field " + field + " is no " + type + ".");
            }
        });
        request.context().forEach((field, value) -> {
            if (!same(value, body.get(field))) {
                throw refused(
                        ProblemCode.ARTIFACT_CONTEXT_MISMATCH,
                        "The artifact's field " + field + " is not what the work selects.");
            }
        });
    }

    /** @return the refusal of an artifact that is no JSON object: artifact_schema_mismatch */
    public static BerthException noObject() {
        return mismatch("The artifact is no JSON object.");
    }

    /** The request as a tree, for its canonical text. */
    public static Map<String, Object> tree(ArtifactRequest request) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("format", request.schema().format());
        schema.put("fields", request.schema().fields());
        schema.put("required", request.schema().required());
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("operationId", request.operationId());
        tree.put("taskId", request.taskId());
        tree.put("generation", request.generation());
        tree.put("path", request.path());
        tree.put("sha256", request.sha256());
        tree.put("bytes", request.bytes());
        tree.put("schema", schema);
        tree.put("context", request.context());
        return tree;
    }

    private static boolean isSchema(ArtifactRequest.Schema schema) {
        return schema != null
                && FORMAT.equals(schema.format())
                && schema.fields() != null
                && schema.required() != null
                && schema.fields().size() <= MAX_FIELDS
                && schema.fields().values().stream().allMatch(type -> type != null && TYPES.contains(type))
                && allDeclared(schema.required(), schema.fields());
    }

    private static boolean allDeclared(List<String> required, Map<String, String> fields) {
        return required.stream().allMatch(field -> field != null && fields.containsKey(field));
    }

    private static boolean isContext(Map<String, Object> context, Map<String, String> fields) {
        return context != null
                && context.size() <= MAX_FIELDS
                && context.entrySet().stream()
                        .allMatch(entry -> fields.containsKey(entry.getKey()) && typeOf(entry.getValue()) != null);
    }

    private static String typeOf(Object value) {
        return switch (value) {
            case String _ -> "string";
            case Number _ -> "number";
            case Boolean _ -> "boolean";
            case null, default -> null;
        };
    }

    private static boolean same(Object wanted, Object found) {
        if (wanted instanceof Number one && found instanceof Number other) {
            return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0;
        }
        return wanted.equals(found);
    }

    private static BerthException mismatch(String sentence) {
        return refused(ProblemCode.ARTIFACT_SCHEMA_MISMATCH, sentence);
    }

    private static BerthException refused(ProblemCode code, String sentence) {
        return new BerthException(code, sentence);
    }
}
