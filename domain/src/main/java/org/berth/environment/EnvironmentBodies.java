package org.berth.environment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Reads the bodies of environment operations, of routes and of tools. Unknown members are ignored; a member of a wrong
 * type is as good as missing, so that the operation's own rule refuses it, in its order.
 */
public final class EnvironmentBodies {
    private EnvironmentBodies() {}

    /** The string at {@code name}; null for anything else. */
    public static String text(Map<String, Object> body, String name) {
        return EnvironmentTrees.text(body, name);
    }

    /** @throws BerthException invalid_environment_request when {@code files} is no list of objects */
    public static List<ProjectionFile> projection(Map<String, Object> body) {
        if (!(body.get("files") instanceof List<?> list)) {
            throw new BerthException(ProblemCode.INVALID_ENVIRONMENT_REQUEST, "files must be an explicit list.");
        }
        List<ProjectionFile> files = new ArrayList<>();
        for (Object each : list) {
            Map<String, Object> file = EnvironmentTrees.object(each);
            files.add(new ProjectionFile(
                    text(file, "source"),
                    text(file, "path"),
                    text(file, "sha256"),
                    Boolean.TRUE.equals(file.get("required")),
                    null,
                    Boolean.TRUE.equals(file.get("transient"))));
        }
        return files;
    }

    /** The contract of an export; {@link ArtifactContract#require} judges it. */
    public static ArtifactRequest artifact(Map<String, Object> body) {
        return new ArtifactRequest(
                text(body, "operationId"),
                text(body, "taskId"),
                text(body, "generation"),
                text(body, "path"),
                text(body, "sha256"),
                body.get("bytes") instanceof Long bytes ? bytes : -1,
                body.get("schema") instanceof Map<?, ?> ? schema(EnvironmentTrees.object(body.get("schema"))) : null,
                body.get("context") instanceof Map<?, ?> ? EnvironmentTrees.object(body.get("context")) : null);
    }

    private static ArtifactRequest.Schema schema(Map<String, Object> tree) {
        Map<String, String> fields = null;
        if (tree.get("fields") instanceof Map<?, ?>) {
            fields = new LinkedHashMap<>();
            for (Map.Entry<String, Object> field :
                    EnvironmentTrees.object(tree.get("fields")).entrySet()) {
                fields.put(field.getKey(), field.getValue() instanceof String type ? type : null);
            }
        }
        List<String> required = null;
        if (tree.get("required") instanceof List<?> list) {
            required = new ArrayList<>();
            for (Object field : list) {
                required.add(field instanceof String name ? name : null);
            }
        }
        return new ArtifactRequest.Schema(text(tree, "format"), fields, required);
    }
}
