package org.berth.startup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Everything that one seat starts with.
 *
 * @param model the native's model; null for its own choice
 * @param effort null for the native's own
 * @param permissionMode null for the native's own
 */
public record StartupPlan(
        List<StartupInput> inputs, List<StartupFile> files, String model, String effort, String permissionMode) {
    public StartupPlan {
        inputs = List.copyOf(inputs);
        files = List.copyOf(files);
    }

    /** As a JSON tree, in the names of the reference's startup context. @param place how a path is kept */
    public Map<String, Object> tree(UnaryOperator<String> place) {
        List<Map<String, Object>> entries = new ArrayList<>();
        for (StartupInput input : inputs) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("category", input.category().name().toLowerCase(Locale.ROOT));
            entry.put("effectiveId", input.id());
            entry.put("absolutePath", place.apply(input.absolutePath()));
            entries.add(entry);
        }
        List<Map<String, Object>> resolved = new ArrayList<>();
        for (StartupFile file : files) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("path", file.path());
            entry.put("absolutePath", place.apply(file.absolutePath()));
            entry.put("required", file.required());
            resolved.add(entry);
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("projectionEntries", entries);
        tree.put("resolvedFiles", resolved);
        tree.put("model", model);
        tree.put("effort", effort);
        tree.put("permissionMode", permissionMode);
        return tree;
    }

    /** The reverse of {@link #tree}. @param place the path of what was kept */
    public static StartupPlan of(Map<String, Object> tree, UnaryOperator<String> place) {
        List<StartupInput> inputs = new ArrayList<>();
        for (Map<?, ?> entry : objects(tree.get("projectionEntries"))) {
            inputs.add(new StartupInput(
                    InputCategory.valueOf(text(entry, "category").toUpperCase(Locale.ROOT)),
                    text(entry, "effectiveId"),
                    place.apply(text(entry, "absolutePath"))));
        }
        List<StartupFile> files = new ArrayList<>();
        for (Map<?, ?> entry : objects(tree.get("resolvedFiles"))) {
            files.add(new StartupFile(
                    text(entry, "path"),
                    place.apply(text(entry, "absolutePath")),
                    Boolean.TRUE.equals(entry.get("required"))));
        }
        return new StartupPlan(inputs, files, text(tree, "model"), text(tree, "effort"), text(tree, "permissionMode"));
    }

    private static List<Map<?, ?>> objects(Object value) {
        List<Map<?, ?>> found = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> map) {
                    found.add(map);
                }
            }
        }
        return found;
    }

    private static String text(Map<?, ?> tree, String name) {
        return tree.get(name) instanceof String text ? text : null;
    }
}
