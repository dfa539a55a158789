package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentCheckpoints;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.RecreateRequest;
import org.berth.environment.RecreateRules;
import org.berth.environment.Recreation;
import org.berth.environment.driver.ContinuedCreates;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.fault.FaultPoint;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Makes compute anew for a saved conversation, once its predecessor is proven gone: intent, proof, claim, effect, inventory
 * of the successor, receipt. It launches nothing. A reply that was lost is found again by the effect's id, and the effect
 * is never repeated; only what a driver of {@link ContinuedCreates} began and did not finish is gone on with. Source:
 * environments.md, Operations, recreate.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class RecreateService {
    private static final Logger LOG = Logger.getLogger(RecreateService.class.getName());

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private CleanupInventories inventories;

    @Inject
    private EnvironmentCheckpoints checkpoints;

    @Inject
    private EnvironmentFiles files;

    /** For the container, which injects. */
    public RecreateService() {}

    RecreateService(
            EnvironmentJournal journal,
            EnvironmentReader reader,
            CleanupInventories inventories,
            EnvironmentCheckpoints checkpoints,
            EnvironmentFiles files) {
        this.journal = journal;
        this.reader = reader;
        this.inventories = inventories;
        this.checkpoints = checkpoints;
        this.files = files;
    }

    /**
     * @return the receipt as a JSON tree; {@code state} is confirmed, or unconfirmed while the provider's answer is lost
     * @throws BerthException those of {@link RecreateRules}; environment_binding_missing, environment_operation_changed,
     *     environment_selection_changed; those of {@link EnvironmentCheckpoints#verify}; the driver's
     */
    public Map<String, Object> recreate(String bindingId, RecreateRequest request) {
        EnvironmentRules.identifier(request.generation(), "generation");
        BindingRecord selected = reader.ours(bindingId);
        RecreateRules.requireOwned(selected.binding());
        EnvironmentCheckpoint checkpoint = request.checkpointId() == null
                ? null
                : checkpoints.find(request.checkpointId()).orElse(null);
        RecreateRules.requireCheckpoint(selected.binding(), request, checkpoint);
        checkpoints.verify(checkpoint);
        RecreateRules.requireGeneration(request, checkpoint);
        RecreateRules.requirePlacement(selected.binding().placement(), request.placement());
        EnvironmentPlacement placement = request.placement()
                .withPolicySha256(
                        CanonicalJson.sha256(files.read(request.placement().policy())));
        EnvironmentOperation operation = journal.intend(
                selected, RecreateRules.intent(bindingId, request, placement, checkpoint), OperationState.INTENT);
        FaultPoint.RECREATE_INTENT.hit();
        if (operation.receipt() != null) {
            return StrictJson.object(operation.receipt());
        }
        RecreateRules.requirePredecessor(selected.binding(), checkpoint);
        Attempt attempt = new Attempt(selected, operation, placement, checkpoint, reader.driver(selected.binding()));
        EnvironmentResource successor = successor(attempt);
        if (successor == null) {
            return unconfirmed(attempt);
        }
        FaultPoint.RECREATE_CREATED.hit();
        inventory(attempt, successor);
        FaultPoint.RECREATE_INVENTORY.hit();
        Map<String, Object> receipt = journal.step(store -> record(store, attempt, successor));
        FaultPoint.RECREATE_RECORDED.hit();
        return receipt;
    }

    /** @param selected still on the predecessor @param placement the successor's */
    private record Attempt(
            BindingRecord selected,
            EnvironmentOperation operation,
            EnvironmentPlacement placement,
            EnvironmentCheckpoint checkpoint,
            EnvironmentDriver driver) {}

    /** The successor that is there, one that was begun and is gone on with, or a new one; null when the answer is lost. */
    private EnvironmentResource successor(Attempt attempt) {
        EnvironmentBinding binding = attempt.selected().binding();
        EnvironmentListing listing = Provider.asked(() -> attempt.driver().list(binding.placement()));
        RecreateRules.requireGone(listing, attempt.checkpoint());
        RecreateRules.requireAbsent(remaining(attempt));
        EnvironmentResource found = RecreateRules.successor(
                listing, attempt.operation(), otherEffects(attempt), attempt.placement(), attempt.checkpoint());
        if (found != null && !isUnfinished(attempt, found)) {
            return found;
        }
        boolean goesOn = found != null && attempt.operation().state() == OperationState.REQUESTED;
        if (!goesOn && !journal.step(store -> claim(store, attempt))) {
            return null;
        }
        FaultPoint.RECREATE_CLAIMED.hit();
        return make(attempt);
    }

    private static boolean isUnfinished(Attempt attempt, EnvironmentResource found) {
        return attempt.driver() instanceof ContinuedCreates creates
                && Provider.asked(() -> creates.isUnfinished(found));
    }

    /** Null when the driver cannot say. */
    private DependentObservation remaining(Attempt attempt) {
        EnvironmentBinding predecessor =
                RecreateRules.predecessor(attempt.selected().binding(), attempt.checkpoint());
        String inventory = inventories.find(predecessor.resource().id()).orElse(null);
        try {
            return Provider.asked(() -> attempt.driver().cleanupState(predecessor, inventory));
        } catch (BerthException e) {
            if (e.code() == ProblemCode.ENVIRONMENT_EFFECT_UNSUPPORTED) {
                return null;
            }
            throw e;
        }
    }

    private Set<String> otherEffects(Attempt attempt) {
        return journal.read(store -> store.journal(attempt.selected(), OperationKind.RECREATE)).stream()
                .filter(each -> !each.operationId().equals(attempt.operation().operationId()))
                .map(EnvironmentOperation::effectId)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** One conditional update, in which the binding's reserved name becomes the successor's. */
    private static boolean claim(EnvironmentRepository store, Attempt attempt) {
        BindingRecord current = store.lock(attempt.selected().bindingId()).orElse(null);
        BindingRules.requireUnchanged(attempt.selected(), current, null);
        if (store.nameHeld(current.bindingId(), current.hostId(), attempt.placement())) {
            throw RecreateRules.nameInUse();
        }
        boolean claimed =
                store.move(attempt.operation().operationId(), OperationState.INTENT, OperationState.REQUESTED);
        if (claimed) {
            store.reserve(current.bindingId(), attempt.placement().name());
        }
        return claimed;
    }

    private static boolean giveBack(EnvironmentRepository store, Attempt attempt) {
        BindingRecord selected = attempt.selected();
        store.reserve(
                selected.bindingId(),
                selected.holdsName() ? selected.binding().placement().name() : null);
        return store.move(attempt.operation().operationId(), OperationState.REQUESTED, OperationState.INTENT);
    }

    private EnvironmentResource make(Attempt attempt) {
        EnvironmentResource made;
        try {
            made = Provider.asked(
                    () -> attempt.driver().create(attempt.operation().effectId(), attempt.placement()));
        } catch (BerthException e) {
            if (CreateService.NOTHING_MADE.contains(e.code())) {
                journal.step(store -> giveBack(store, attempt));
                throw e;
            }
            LOG.log(
                    Level.INFO,
                    "the reply to " + attempt.operation().effectId() + " was lost: "
                            + e.code().wire(),
                    e);
            return null;
        }
        RecreateRules.requireSuccessor(made, attempt.operation(), attempt.placement(), attempt.checkpoint());
        return made;
    }

    /** Keeps the successor's parts, once they are proven to be on the predecessor's host and engine. */
    private void inventory(Attempt attempt, EnvironmentResource successor) {
        String kept =
                inventories.find(attempt.checkpoint().predecessorResourceId()).orElse(null);
        Map<String, Object> predecessor = kept == null ? null : StrictJson.object(kept);
        String socket = predecessor != null && predecessor.get("socket") instanceof String named ? named : null;
        BindingRecord moved = attempt.selected().recreated(attempt.placement(), successor);
        String captured;
        try {
            captured = Provider.asked(() -> attempt.driver().captureCleanup(moved.binding(), socket));
        } catch (BerthException e) {
            switch (e.code()) {
                case ENVIRONMENT_EFFECT_UNSUPPORTED -> {
                    return;
                }
                case ENVIRONMENT_ENGINE_REQUIRED -> throw RecreateRules.noInventory();
                default -> throw e;
            }
        }
        RecreateRules.requireSameEngine(predecessor, StrictJson.object(captured));
        journal.step(store -> {
            BindingRecord current = store.lock(attempt.selected().bindingId()).orElse(null);
            BindingRules.requireUnchanged(attempt.selected(), current, null);
            inventories.record(store, current, successor.id(), socket, captured);
            return null;
        });
    }

    /** The receipt of before, or a new one with the binding moved to the successor. */
    private static Map<String, Object> record(
            EnvironmentRepository store, Attempt attempt, EnvironmentResource successor) {
        BindingRecord current = store.lock(attempt.selected().bindingId()).orElse(null);
        String saved = store.operation(attempt.operation().operationId())
                .map(EnvironmentOperation::receipt)
                .orElse(null);
        if (saved != null) {
            return StrictJson.object(saved);
        }
        BindingRules.requireUnchanged(attempt.selected(), current, null);
        store.save(current.recreated(attempt.placement(), successor));
        Map<String, Object> receipt = Recreation.of(attempt.operation().operationId(), attempt.checkpoint(), successor)
                .tree();
        store.confirm(attempt.operation().operationId(), CanonicalJson.write(receipt));
        return receipt;
    }

    private static Map<String, Object> unconfirmed(Attempt attempt) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("state", "unconfirmed");
        tree.put("operationId", attempt.operation().operationId());
        tree.put("checkpointId", attempt.checkpoint().checkpointId());
        return tree;
    }
}
