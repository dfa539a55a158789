package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.berth.environment.BindingRecord;
import org.berth.environment.CheckpointUses;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.json.StrictJson;

/** Recreations that are open, and recreated compute that is there and on which the conversation was not resumed yet. */
@ApplicationScoped
public class JournalCheckpointUses implements CheckpointUses {
    @Inject
    private EnvironmentJournal journal;

    /** For the container, which injects. */
    public JournalCheckpointUses() {}

    JournalCheckpointUses(EnvironmentJournal journal) {
        this.journal = journal;
    }

    @Override
    public List<String> uses(String checkpointId) {
        return journal.read(store -> store.operation(checkpointId)
                .flatMap(operation -> store.find(operation.bindingId()))
                .map(binding -> uses(store, binding, checkpointId))
                .orElseGet(List::of));
    }

    private static List<String> uses(EnvironmentRepository store, BindingRecord binding, String checkpointId) {
        List<String> uses = new ArrayList<>();
        for (EnvironmentOperation each : store.journal(binding, OperationKind.RECREATE)) {
            if (!checkpointId.equals(StrictJson.object(each.request()).get("checkpointId"))) {
                continue;
            }
            if (isOpen(each)) {
                uses.add("recreation " + each.operationId());
            } else if (each.state() == OperationState.CONFIRMED && awaitsResume(store, binding, each)) {
                uses.add("the resume on compute of recreation " + each.operationId());
            }
        }
        return uses;
    }

    private static boolean awaitsResume(
            EnvironmentRepository store, BindingRecord binding, EnvironmentOperation recreation) {
        Object successor = StrictJson.object(recreation.receipt()).get("successorResourceId");
        boolean present = binding.holdsName()
                && binding.binding().resource() != null
                && Objects.equals(binding.binding().resource().id(), successor);
        return present
                && store.journal(binding, OperationKind.LAUNCH).stream()
                        .filter(each -> each.state() == OperationState.CONFIRMED)
                        .map(each -> StrictJson.object(each.request()))
                        .noneMatch(request -> Objects.equals(successor, request.get("resourceId")));
    }

    private static boolean isOpen(EnvironmentOperation operation) {
        return operation.state() == OperationState.INTENT || operation.state() == OperationState.REQUESTED;
    }
}
