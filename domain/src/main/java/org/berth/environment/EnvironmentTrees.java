package org.berth.environment;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.CanonicalJson;

/**
 * Environments as JSON trees, in the names of the wire: for answers, for canonical requests and for the store. What is
 * null is left out, but for a binding's resource and generation. Source: the reference's types.
 */
public final class EnvironmentTrees {
    /** The version that every binding, projection and receipt carries: {@value}. */
    public static final long VERSION = 1;

    private EnvironmentTrees() {}

    public static Map<String, Object> config(EnvironmentConfig config) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", VERSION);
        tree.put("bindingId", config.bindingId());
        putPresent(tree, "nodeId", config.nodeId());
        tree.put("seat", config.seat());
        putPresent(tree, "coordinationRef", config.coordinationRef());
        putPresent(tree, "artifactRoot", config.artifactRoot());
        tree.put("baseRuntime", config.baseRuntime());
        tree.put("guestRoot", config.guestRoot());
        tree.put("guestBaseUrl", config.guestBaseUrl());
        tree.put("placement", placement(config.placement()));
        return tree;
    }

    public static Map<String, Object> placement(EnvironmentPlacement placement) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("gateway", placement.gateway());
        tree.put("workspace", placement.workspace());
        tree.put("name", placement.name());
        tree.put("image", placement.image());
        tree.put("provider", placement.provider());
        tree.put("policy", placement.policy());
        putPresent(tree, "policySha256", placement.policySha256());
        return tree;
    }

    public static Map<String, Object> resource(EnvironmentResource resource) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", resource.id());
        tree.put("name", resource.name());
        tree.put("workspace", resource.workspace());
        tree.put("phase", resource.phase());
        putPresent(tree, "fingerprint", resource.fingerprint());
        putPresent(tree, "operationId", resource.operationId());
        return tree;
    }

    public static Map<String, Object> binding(EnvironmentBinding binding) {
        Map<String, Object> tree = config(binding.config());
        tree.put("ownership", binding.ownership().wire());
        tree.put("resource", binding.resource() == null ? null : resource(binding.resource()));
        tree.put("generation", binding.generation());
        return tree;
    }

    /** What a projection answers and what the launch descriptor carries. */
    public static Map<String, Object> projection(String bindingId, String generation, List<ProjectionReceipt> files) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", VERSION);
        tree.put("bindingId", bindingId);
        tree.put("generation", generation);
        tree.put("files", files.stream().map(EnvironmentTrees::receipt).toList());
        return tree;
    }

    public static Map<String, Object> receipt(ProjectionReceipt receipt) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("path", receipt.path());
        tree.put("sha256", receipt.sha256());
        tree.put("bytes", receipt.bytes());
        tree.put("required", receipt.required());
        putPresent(tree, "sourceFile", receipt.sourceFile());
        putPresent(tree, "sourceSha256", receipt.sourceSha256());
        return tree;
    }

    /** The reverse of {@link #config}. */
    public static EnvironmentConfig configOf(Map<String, Object> tree) {
        return new EnvironmentConfig(
                text(tree, "bindingId"),
                text(tree, "nodeId"),
                text(tree, "seat"),
                text(tree, "coordinationRef"),
                text(tree, "artifactRoot"),
                text(tree, "baseRuntime"),
                text(tree, "guestRoot"),
                text(tree, "guestBaseUrl"),
                placementOf(object(tree.get("placement"))));
    }

    /** The reverse of {@link #placement}; what is missing or no string is null. */
    public static EnvironmentPlacement placementOf(Map<String, Object> tree) {
        return new EnvironmentPlacement(
                text(tree, "gateway"),
                text(tree, "workspace"),
                text(tree, "name"),
                text(tree, "image"),
                text(tree, "provider"),
                text(tree, "policy"),
                text(tree, "policySha256"));
    }

    /** The reverse of {@link #resource}. */
    public static EnvironmentResource resourceOf(Map<String, Object> tree) {
        return new EnvironmentResource(
                text(tree, "id"),
                text(tree, "name"),
                text(tree, "workspace"),
                text(tree, "phase"),
                text(tree, "fingerprint"),
                text(tree, "operationId"));
    }

    /** The reverse of {@link #receipt}. */
    public static ProjectionReceipt receiptOf(Map<String, Object> tree) {
        return new ProjectionReceipt(
                text(tree, "path"),
                text(tree, "sha256"),
                tree.get("bytes") instanceof Number bytes ? bytes.longValue() : 0,
                Boolean.TRUE.equals(tree.get("required")),
                text(tree, "sourceFile"),
                text(tree, "sourceSha256"));
    }

    /** The string at {@code name}, or null for anything else. */
    static String text(Map<String, Object> tree, String name) {
        return tree.get(name) instanceof String text ? text : null;
    }

    /** The objects of a list; none for anything else. */
    static List<Map<String, Object>> objects(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(EnvironmentTrees::object).toList()
                : List.of();
    }

    /** The first 48 hex digits of a SHA-256, for ids that are made of other ids. */
    static String shortDigest(String text) {
        return CanonicalJson.sha256(text.getBytes(StandardCharsets.UTF_8)).substring(0, 48);
    }

    /** {@code value} as an object; an empty one for anything else. */
    static Map<String, Object> object(Object value) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> tree.put((String) key, each));
        }
        return tree;
    }

    private static void putPresent(Map<String, Object> tree, String name, String value) {
        if (value != null) {
            tree.put(name, value);
        }
    }
}
