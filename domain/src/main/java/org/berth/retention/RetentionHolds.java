package org.berth.retention;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.environment.CompletionRules;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;

/**
 * What is still referred to, by whatever is not over.
 *
 * @param operations ids of operations
 * @param bindings ids of bindings, whether they still exist or not
 * @param files absolute host paths of returned artifacts
 */
public record RetentionHolds(Set<String> operations, Set<String> bindings, Set<String> files) {
    public RetentionHolds {
        operations = Set.copyOf(operations);
        bindings = Set.copyOf(bindings);
        files = Set.copyOf(files);
    }

    /** Collects holds. */
    public static final class Builder {
        private final Set<String> operations = new HashSet<>();
        private final Set<String> bindings = new HashSet<>();
        private final Set<String> files = new HashSet<>();

        /** An open operation holds every operation that its request names, and a completion its own stop. */
        public Builder open(EnvironmentOperation operation, Map<String, Object> request) {
            operations.add(operation.operationId());
            texts(request.values());
            if (operation.kind() == OperationKind.COMPLETION) {
                operations.add(CompletionRules.stopOperationId(operation.operationId()));
            }
            return this;
        }

        /** A retained checkpoint holds its selection, its binding's history of computes, and its artifacts' exports. */
        public Builder checkpoint(EnvironmentCheckpoint checkpoint, String selectionId) {
            operations.add(checkpoint.checkpointId());
            operations.add(selectionId);
            bindings.add(checkpoint.bindingId());
            checkpoint.artifacts().forEach(artifact -> files.add(artifact.source()));
            return this;
        }

        /** Something outside the journal, such as a snapshot or an unfinished attempt, names the operation. */
        public Builder operation(String operationId) {
            operations.add(operationId);
            return this;
        }

        /** As {@link #operation}, of a binding. */
        public Builder binding(String bindingId) {
            bindings.add(bindingId);
            return this;
        }

        /** As {@link #operation}, of a returned artifact by its host path. */
        public Builder file(String path) {
            files.add(path);
            return this;
        }

        public RetentionHolds build() {
            return new RetentionHolds(operations, bindings, files);
        }

        private void texts(Collection<?> values) {
            for (Object each : values) {
                switch (each) {
                    case String text -> operations.add(text);
                    case Map<?, ?> tree -> texts(tree.values());
                    case List<?> list -> texts(list);
                    case null, default -> {}
                }
            }
        }
    }
}
