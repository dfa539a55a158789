package org.berth.environment.rest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentTrees;
import org.berth.json.StrictJson;
import org.berth.problem.ProblemCode;

/** Bindings and operations as answers, in the reference's names. */
final class EnvironmentViews {
    private EnvironmentViews() {}

    /** @param code what is not confirmed; null when all is */
    static Map<String, Object> binding(BindingRecord record, ProblemCode code) {
        Map<String, Object> tree = EnvironmentTrees.binding(record.binding());
        if (code != null) {
            tree.put("code", code.wire());
        }
        return tree;
    }

    static List<Map<String, Object>> page(List<BindingRecord> records) {
        return records.stream()
                .map(record -> EnvironmentTrees.binding(record.binding()))
                .toList();
    }

    /** @param live whether the binding's resource was observed just now */
    static Map<String, Object> inspected(
            EnvironmentBinding binding, List<EnvironmentOperation> operations, boolean live) {
        Map<String, Object> tree = EnvironmentTrees.binding(binding);
        List<Map<String, Object>> views = new ArrayList<>();
        operations.forEach(each -> views.add(operation(each)));
        tree.put("operations", views);
        tree.put("observation", live ? "live-resource" : "stored-receipt");
        tree.put("lifecycle", lifecycle());
        return tree;
    }

    private static Map<String, Object> operation(EnvironmentOperation operation) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("operationId", operation.operationId());
        tree.put("kind", operation.kind().wire());
        tree.put("state", operation.state().wire());
        tree.put("receipt", operation.receipt() == null ? null : StrictJson.object(operation.receipt()));
        if (operation.requestedBy() != null) {
            tree.put("requestedBy", operation.requestedBy());
        }
        if (operation.refusal() != null) {
            tree.put("refusal", operation.refusal());
        }
        return tree;
    }

    private static Map<String, Object> lifecycle() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("closeViewer", "an effect of its own; the native goes on");
        tree.put("stopNative", "owned only: one TERM to the exact native");
        tree.put("stopCompute", "owned only: the exact compute");
        tree.put("deleteEnvironment", "owned only: proven by an inventory of the provider's own parts");
        tree.put("nativeRestore", "a verified checkpoint on compute that was recreated on this host");
        return tree;
    }
}
