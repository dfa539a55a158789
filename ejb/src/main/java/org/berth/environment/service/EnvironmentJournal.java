package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentTrees;
import org.berth.environment.IntentDecision;
import org.berth.environment.IntentRules;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationState;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.placement.CanonicalJson;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Intent, claim and receipt of every operation, each in a transaction of its own. A step that lost a lock, or met a value
 * that another step took meanwhile, is decided again, five times at most. Source: environments.md, The rule of every
 * effect.
 */
@ApplicationScoped
public class EnvironmentJournal {
    private static final int TRIES = 5;

    @Inject
    private EnvironmentLedger ledger;

    @Inject
    private Clock clock;

    /** For the container, which injects. */
    public EnvironmentJournal() {}

    EnvironmentJournal(EnvironmentLedger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /** @throws BerthException the step's refusal; CONFLICT when others hold the rows; STORAGE */
    public <T> T step(Function<EnvironmentRepository, T> step) {
        for (int left = TRIES; ; left--) {
            try {
                return ledger.change(step);
            } catch (BerthException e) {
                throw e;
            } catch (RuntimeException e) {
                if (!StoreFailures.retryable(e) && !StoreFailures.taken(e)) {
                    throw new BerthException(
                            ProblemCode.STORAGE, "the database refused the change; nothing was recorded", e);
                }
                if (left <= 1) {
                    throw new BerthException(
                            ProblemCode.CONFLICT, "the binding is being changed by others; read it and try again", e);
                }
            }
        }
    }

    /** Reads without a lock. */
    public <T> T read(Function<EnvironmentRepository, T> query) {
        return ledger.read(query);
    }

    /**
     * Journals the intent that makes {@code wanted}, or finds the same intent of before. An earlier binding of that id
     * gives way when its provider was never asked.
     *
     * @throws BerthException environment_operation_changed, environment_binding_exists, environment_seat_bound,
     *     environment_name_in_use
     */
    public EnvironmentOperation bind(BindingRecord wanted, OperationIntent intent) {
        return step(store -> bind(store, wanted, intent));
    }

    /** As above, inside the caller's step. */
    public EnvironmentOperation bind(EnvironmentRepository store, BindingRecord wanted, OperationIntent intent) {
        Optional<BindingRecord> existing = store.lock(wanted.bindingId());
        IntentDecision decision = ofAnother(store, intent, existing.orElse(null))
                ? IntentRules.spent()
                : IntentRules.bind(
                        intent,
                        new IntentRules.Holdings(
                                store.operation(intent.operationId()),
                                existing,
                                existing.map(store::journal).orElseGet(List::of),
                                store.seatBound(
                                        wanted.bindingId(),
                                        wanted.binding().config().seat(),
                                        wanted.binding().config().nodeId()),
                                store.nameHeld(
                                        wanted.bindingId(),
                                        wanted.hostId(),
                                        wanted.binding().placement())));
        return switch (decision) {
            case IntentDecision.Fresh _ -> insert(store, wanted, intent);
            case IntentDecision.Replace replace -> {
                store.forget(replace.abandoned());
                store.delete(wanted.bindingId());
                yield insert(store, wanted, intent);
            }
            case IntentDecision.Replay replay -> replay.saved();
            case IntentDecision.Refuse refuse -> throw refuse.problem();
        };
    }

    /**
     * Journals an intent on {@code selected}, or finds the same one of before.
     *
     * @param state INTENT for what is claimed later; REQUESTED for what any caller may repeat
     * @throws BerthException environment_selection_changed, environment_operation_changed
     */
    public EnvironmentOperation intend(BindingRecord selected, OperationIntent intent, OperationState state) {
        return step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, null);
            IntentDecision decision = ofAnother(store, intent, current)
                    ? IntentRules.spent()
                    : IntentRules.operate(intent, store.operation(intent.operationId()));
            return switch (decision) {
                case IntentDecision.Fresh _ -> append(store, current, intent, state);
                case IntentDecision.Replay replay -> replay.saved();
                case IntentDecision.Replace _ -> throw new IllegalStateException("only a binding is replaced");
                case IntentDecision.Refuse refuse -> throw refuse.problem();
            };
        });
    }

    /** @return whether this caller, and nobody else, may ask the provider now */
    public boolean claim(String operationId) {
        return step(store -> store.move(operationId, OperationState.INTENT, OperationState.REQUESTED));
    }

    /** Takes a claim back, when it is known that the provider did nothing. */
    public void release(String operationId) {
        step(store -> store.move(operationId, OperationState.REQUESTED, OperationState.INTENT));
    }

    /** Records what was observed; the receipt that was recorded first stays. */
    public void confirm(String operationId, Map<String, Object> receipt) {
        step(store -> store.confirm(operationId, CanonicalJson.write(receipt)));
    }

    /**
     * Records the environment that was observed for {@code operation}, on the binding and as the receipt.
     *
     * @throws BerthException environment_selection_changed when the binding was replaced meanwhile
     */
    public BindingRecord bound(EnvironmentOperation operation, EnvironmentResource observed) {
        return step(store -> bound(store, operation, observed));
    }

    /** As above, inside the caller's step. */
    public BindingRecord bound(
            EnvironmentRepository store, EnvironmentOperation operation, EnvironmentResource observed) {
        BindingRecord current = store.lock(operation.bindingId()).orElse(null);
        if (current == null
                || !store.incarnationOf(operation.operationId())
                        .filter(current.incarnation()::equals)
                        .isPresent()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED,
                    "The binding was replaced while the provider was asked.");
        }
        BindingRecord changed = current.with(current.binding().withResource(observed));
        store.save(changed);
        store.confirm(operation.operationId(), CanonicalJson.write(EnvironmentTrees.resource(observed)));
        return changed;
    }

    /** The time to record, with the precision that the store keeps. */
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private EnvironmentOperation insert(EnvironmentRepository store, BindingRecord wanted, OperationIntent intent) {
        store.insert(wanted);
        return append(store, wanted, intent, OperationState.INTENT);
    }

    /** Appends the operation of {@code intent} inside the caller's step, which decided on it and holds the binding. */
    EnvironmentOperation append(
            EnvironmentRepository store, BindingRecord binding, OperationIntent intent, OperationState state) {
        EnvironmentOperation operation = new EnvironmentOperation(
                intent.operationId(),
                intent.bindingId(),
                intent.kind(),
                intent.request(),
                "env-" + UUID.randomUUID(),
                state,
                null,
                intent.requestedBy(),
                null,
                now());
        store.append(binding, operation);
        return operation;
    }

    private static boolean ofAnother(EnvironmentRepository store, OperationIntent intent, BindingRecord current) {
        Optional<String> incarnation = store.incarnationOf(intent.operationId());
        return incarnation.isPresent()
                && (current == null || !incarnation.get().equals(current.incarnation()))
                && store.operation(intent.operationId()).filter(intent::is).isPresent();
    }
}
