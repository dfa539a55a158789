package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;

/**
 * The parts whose absence proves a deletion, captured while the environment is there and journalled once for each
 * resource. Source: environments.md, Inventories.
 */
@ApplicationScoped
public class CleanupInventories {
    private static final Logger LOG = Logger.getLogger(CleanupInventories.class.getName());

    @Inject
    private EnvironmentJournal journal;

    /** For the container, which injects. */
    public CleanupInventories() {}

    CleanupInventories(EnvironmentJournal journal) {
        this.journal = journal;
    }

    /** The id of the operation that holds the inventory of a resource. */
    public static String operationId(String resourceId) {
        return "inventory-" + resourceId;
    }

    /** What was captured of a resource, as JSON for {@link EnvironmentDriver#cleanupState}. */
    public Optional<String> find(String resourceId) {
        return journal.read(store -> store.operation(operationId(resourceId)))
                .filter(each -> each.kind() == OperationKind.CLEANUP_INVENTORY)
                .map(EnvironmentOperation::receipt);
    }

    /**
     * Captures the inventory of a new environment where its driver knows its own engine. A failure is no failure of the
     * create: a deletion captures what is missing.
     */
    Optional<String> ofNew(EnvironmentDriver driver, EnvironmentBinding bound) {
        if (DriverKind.of(bound.placement().gateway()) == DriverKind.OPENSHELL) {
            return Optional.empty();
        }
        try {
            return Optional.of(Provider.asked(() -> driver.captureCleanup(bound, null)));
        } catch (BerthException e) {
            LOG.log(
                    Level.WARNING,
                    "the parts of environment " + bound.resource().id() + " are captured at its deletion only",
                    e);
            return Optional.empty();
        }
    }

    /**
     * The inventory of before, or a new one.
     *
     * @param engineSocket as the caller named it; may be null
     * @throws BerthException the driver's, environment_engine_required among them
     */
    String captured(EnvironmentDriver driver, BindingRecord selected, String engineSocket) {
        String resourceId = selected.binding().resource().id();
        Optional<String> saved = find(resourceId);
        if (saved.isPresent()) {
            return saved.get();
        }
        String captured = Provider.asked(() -> driver.captureCleanup(selected.binding(), engineSocket));
        journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, null);
            record(store, current, resourceId, engineSocket, captured);
            return null;
        });
        return find(resourceId).orElse(captured);
    }

    /**
     * Journals an inventory in the caller's step, which holds the binding's row; the one that was recorded first stays.
     *
     * @param engineSocket null where the driver knows its own engine
     */
    public void record(
            EnvironmentRepository store,
            BindingRecord binding,
            String resourceId,
            String engineSocket,
            String inventory) {
        if (store.operation(operationId(resourceId)).isPresent()) {
            return;
        }
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("resourceId", resourceId);
        if (engineSocket != null) {
            request.put("engineSocket", engineSocket);
        }
        store.append(
                binding,
                new EnvironmentOperation(
                        operationId(resourceId),
                        binding.bindingId(),
                        OperationKind.CLEANUP_INVENTORY,
                        CanonicalJson.write(request),
                        null,
                        OperationState.CONFIRMED,
                        inventory,
                        null,
                        null,
                        journal.now()));
    }
}
