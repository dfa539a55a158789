package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.BindingRecord;
import org.berth.environment.CreateReconciliation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.EnvironmentTrees;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Ownership;
import org.berth.environment.driver.ContinuedCreates;
import org.berth.environment.driver.EnvironmentDrivers;
import org.berth.fault.FaultPoint;
import org.berth.host.service.Host;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;

/**
 * Makes one environment for one seat: intent, complete listing, claim, effect, receipt. A reply that was lost is looked
 * for by the effect's id, and the effect is never repeated. Source: environments.md, The rule of every effect.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CreateService {
    private static final Logger LOG = Logger.getLogger(CreateService.class.getName());

    /** What a driver throws before it made anything. Source: the port {@link EnvironmentDriver#create}. */
    static final Set<ProblemCode> NOTHING_MADE = EnumSet.of(
            ProblemCode.ENVIRONMENT_POLICY_CHANGED,
            ProblemCode.ENVIRONMENT_POLICY_INVALID,
            ProblemCode.ENVIRONMENT_PROVIDER_REFERENCE_MISSING,
            ProblemCode.ENVIRONMENT_PATH_DENIED,
            ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE);

    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    @Inject
    private BindingSelection selection;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentDrivers drivers;

    @Inject
    private CleanupInventories inventories;

    @Inject
    private Host host;

    /** For the container, which injects. */
    public CreateService() {}

    CreateService(
            BindingSelection selection,
            EnvironmentJournal journal,
            EnvironmentReader reader,
            EnvironmentDrivers drivers,
            CleanupInventories inventories,
            Host host) {
        this.selection = selection;
        this.journal = journal;
        this.reader = reader;
        this.drivers = drivers;
        this.inventories = inventories;
        this.host = host;
    }

    /**
     * @param operationId as the caller sent it; may be null
     * @throws BerthException the codes of {@link BindingSelection#verified} and {@link EnvironmentJournal#bind};
     *     environment_duplicate_resources, environment_identity_changed, environment_name_in_use; a definite refusal of
     *     the driver
     */
    public CreateOutcome create(EnvironmentConfig wanted, String operationId, Actor actor) {
        EnvironmentConfig config = selection.verified(wanted);
        EnvironmentRules.identifier(operationId, "operationId");
        EnvironmentDriver driver = drivers.of(config.placement().gateway());
        OperationIntent intent = OperationIntent.of(
                operationId,
                config.bindingId(),
                OperationKind.CREATE,
                EnvironmentTrees.config(config),
                actor.session());
        EnvironmentOperation operation = journal.bind(
                new BindingRecord(
                        new EnvironmentBinding(config, Ownership.OWNED, null, null),
                        UUID.randomUUID().toString(),
                        host.hostId(),
                        true,
                        null,
                        journal.now()),
                intent);
        FaultPoint.CREATE_INTENT.hit();
        BindingRecord binding = reader.ours(config.bindingId());
        return operation.state() == OperationState.CONFIRMED
                ? new CreateOutcome.Existing(binding)
                : reconcile(driver, binding, operation);
    }

    private CreateOutcome reconcile(EnvironmentDriver driver, BindingRecord binding, EnvironmentOperation operation) {
        EnvironmentPlacement placement = binding.binding().placement();
        EnvironmentListing listing;
        try {
            listing = Provider.asked(() -> driver.list(placement));
        } catch (BerthException e) {
            if (e.code().retry() == ProblemCode.Retry.NEVER) {
                throw e;
            }
            LOG.log(Level.FINE, "no listing for " + operation.operationId(), e);
            return new CreateOutcome.Unconfirmed(binding, ProblemCode.ENVIRONMENT_UNCONFIRMED);
        }
        return switch (CreateReconciliation.decide(listing, operation, placement)) {
            case CreateReconciliation.Incomplete _ ->
                new CreateOutcome.Unconfirmed(binding, ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE);
            case CreateReconciliation.Found found
            when isUnfinished(driver, found.resource()) ->
                alone(operation, binding, () -> made(driver, binding, operation));
            case CreateReconciliation.Found found ->
                new CreateOutcome.Existing(bound(driver, binding, operation, found.resource()));
            case CreateReconciliation.Unresolved _ -> unconfirmed(binding);
            case CreateReconciliation.Refused refused -> throw refused.problem();
            case CreateReconciliation.Absent _ -> alone(operation, binding, () -> claimed(driver, binding, operation));
        };
    }

    /** Whether this server is at the provider for the create right now. */
    boolean underWay(String operationId) {
        return underWay.contains(operationId);
    }

    /** Two calls do not make one environment. */
    private CreateOutcome alone(EnvironmentOperation operation, BindingRecord binding, Supplier<CreateOutcome> make) {
        if (!underWay.add(operation.operationId())) {
            return unconfirmed(binding);
        }
        try {
            return make.get();
        } finally {
            underWay.remove(operation.operationId());
        }
    }

    private static boolean isUnfinished(EnvironmentDriver driver, EnvironmentResource found) {
        return driver instanceof ContinuedCreates creates && Provider.asked(() -> creates.isUnfinished(found));
    }

    private CreateOutcome claimed(EnvironmentDriver driver, BindingRecord binding, EnvironmentOperation operation) {
        if (!journal.claim(operation.operationId())) {
            return unconfirmed(binding);
        }
        FaultPoint.CREATE_CLAIMED.hit();
        return made(driver, binding, operation);
    }

    /** The effect, also where a driver goes on with what an earlier call began. */
    private CreateOutcome made(EnvironmentDriver driver, BindingRecord binding, EnvironmentOperation operation) {
        EnvironmentPlacement placement = binding.binding().placement();
        EnvironmentResource made;
        try {
            made = Provider.asked(() -> driver.create(operation.effectId(), placement));
        } catch (BerthException e) {
            if (NOTHING_MADE.contains(e.code())) {
                journal.release(operation.operationId());
                throw e;
            }
            LOG.log(
                    Level.INFO,
                    "the reply to " + operation.effectId() + " was lost: "
                            + e.code().wire(),
                    e);
            return unconfirmed(binding);
        }
        FaultPoint.CREATE_EFFECT.hit();
        if (!CreateReconciliation.answered(made, operation.effectId(), placement)) {
            return unconfirmed(binding);
        }
        BindingRecord bound = bound(driver, binding, operation, made);
        FaultPoint.CREATE_RECORDED.hit();
        return new CreateOutcome.Created(bound);
    }

    /** Records the environment together with the parts whose absence will prove its deletion. */
    private BindingRecord bound(
            EnvironmentDriver driver, BindingRecord binding, EnvironmentOperation operation, EnvironmentResource made) {
        Optional<String> inventory = inventories.ofNew(driver, binding.binding().withResource(made));
        return journal.step(store -> {
            BindingRecord bound = journal.bound(store, operation, made);
            inventory.ifPresent(parts -> inventories.record(store, bound, made.id(), null, parts));
            return bound;
        });
    }

    private static CreateOutcome unconfirmed(BindingRecord binding) {
        return new CreateOutcome.Unconfirmed(binding, ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED);
    }
}
