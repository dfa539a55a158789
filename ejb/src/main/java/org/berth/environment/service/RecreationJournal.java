package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Recreation;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The confirmed recreations of a binding, and the one launch generation of each successor. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class RecreationJournal {
    @Inject
    private EnvironmentJournal journal;

    /** For the container, which injects. */
    public RecreationJournal() {}

    RecreationJournal(EnvironmentJournal journal) {
        this.journal = journal;
    }

    /** The binding's newest confirmed recreation. */
    public Optional<Recreation> newest(BindingRecord binding) {
        return journal.read(store -> newest(store, binding));
    }

    /** The recreation that made the binding's present compute. */
    public Optional<Recreation> present(BindingRecord record) {
        return newest(record)
                .filter(each -> record.binding().resource() != null
                        && record.binding().resource().id().equals(each.successorResourceId()));
    }

    /**
     * Gives the successor's one launch to {@code generation}; the same again is the same.
     *
     * @throws BerthException environment_selection_changed when another generation or another compute has it
     */
    public Recreation claim(BindingRecord selected, String generation) {
        return journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, null);
            Recreation recreation = newest(store, current).orElseThrow(RecreationJournal::changed);
            if (!recreation
                    .successorResourceId()
                    .equals(current.binding().resource().id())) {
                throw changed();
            }
            if (generation.equals(recreation.successorGeneration())) {
                return recreation;
            }
            if (recreation.successorGeneration() != null) {
                throw changed();
            }
            Recreation claimed = recreation.launchedAs(generation);
            store.note(recreation.operationId(), OperationState.CONFIRMED, CanonicalJson.write(claimed.tree()));
            return claimed;
        });
    }

    private static Optional<Recreation> newest(EnvironmentRepository store, BindingRecord binding) {
        return store.journal(binding, OperationKind.RECREATE).reversed().stream()
                .filter(each -> each.state() == OperationState.CONFIRMED)
                .map(EnvironmentOperation::receipt)
                .map(receipt -> Recreation.of(StrictJson.object(receipt)))
                .findFirst();
    }

    private static BerthException changed() {
        return new BerthException(
                ProblemCode.ENVIRONMENT_SELECTION_CHANGED,
                "Another launch has the recreated compute; nothing was started.");
    }
}
