package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.BindingRecord;
import org.berth.environment.EffectOutcome;
import org.berth.environment.EffectRequest;
import org.berth.environment.EffectRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentEffects;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.EnvironmentViewers;
import org.berth.environment.NativeObservation;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.fault.FaultPoint;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.work.Actor;

/**
 * Effects on running environments: intent, claim, effect with no transaction open, and a receipt from what is observed
 * afterwards. What was sent once is never sent again under the same operation id. Source: environments.md, The rule of
 * every effect; the reference's lifecycle.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class EffectService implements EnvironmentEffects {
    private static final Logger LOG = Logger.getLogger(EffectService.class.getName());

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private LaunchJournal launches;

    @Inject
    private DeletionEffect deletion;

    @Inject
    private EnvironmentViewers viewers;

    /** For the container, which injects. */
    public EffectService() {}

    EffectService(
            EnvironmentReader reader,
            EnvironmentJournal journal,
            LaunchJournal launches,
            DeletionEffect deletion,
            EnvironmentViewers viewers) {
        this.reader = reader;
        this.journal = journal;
        this.launches = launches;
        this.deletion = deletion;
        this.viewers = viewers;
    }

    /**
     * @throws BerthException environment_binding_missing, environment_generation_changed, environment_attached_preserved,
     *     environment_operation_changed, environment_selection_changed, environment_native_unconfirmed,
     *     environment_native_changed, environment_effect_unsupported, environment_engine_required,
     *     environment_cleanup_unconfirmed; the driver's
     */
    @Override
    public Map<String, Object> effect(String bindingId, EffectRequest request, Actor actor, BooleanSupplier eligible) {
        EnvironmentRules.identifier(request.operationId(), "operationId");
        BindingRecord selected = reader.ours(bindingId);
        EnvironmentBinding binding = selected.binding();
        EffectRules.requireSelected(binding, request.generation());
        EffectRules.requireOwned(binding, request.effect());
        String requestedBy = actor == null ? null : actor.session();
        EnvironmentOperation operation = journal.intend(
                selected,
                OperationIntent.of(
                        request.operationId(),
                        bindingId,
                        OperationKind.EFFECT,
                        EffectRules.request(binding, request, requestedBy),
                        requestedBy),
                OperationState.INTENT);
        if (operation.state() == OperationState.CONFIRMED) {
            return StrictJson.object(operation.receipt());
        }
        FaultPoint.EFFECT_INTENT.hit();
        Observed observed = observed(selected, request, new EffectDispatch(journal, selected, operation, eligible));
        FaultPoint.EFFECT_OBSERVED.hit();
        Map<String, Object> receipt = EffectRules.receipt(binding, request, requestedBy, observed.outcome());
        if (!observed.outcome().isConfirmed()) {
            return receipt;
        }
        Map<String, Object> recorded = record(selected, operation, receipt, observed);
        FaultPoint.EFFECT_RECORDED.hit();
        return recorded;
    }

    /**
     * @param resource the environment as it is now, for the binding; null to leave the binding as it is
     * @param released whether the binding's name is free now
     */
    private record Observed(EffectOutcome outcome, EnvironmentResource resource, boolean released) {
        static Observed only(EffectOutcome outcome) {
            return new Observed(outcome, null, false);
        }
    }

    private Observed observed(BindingRecord selected, EffectRequest request, EffectDispatch dispatch) {
        try {
            return switch (request.effect()) {
                case CLOSE_VIEWER -> Observed.only(closeViewer(selected, dispatch));
                case STOP_NATIVE -> Observed.only(stopNative(selected, dispatch));
                case STOP_COMPUTE -> stopCompute(selected, dispatch);
                case DELETE_OWNED -> {
                    EffectOutcome outcome = deletion.delete(selected, request.engineSocket(), dispatch);
                    yield new Observed(outcome, null, outcome.isConfirmed());
                }
            };
        } catch (BerthException e) {
            if (!EffectRules.unobserved(e)) {
                throw e;
            }
            LOG.log(Level.INFO, "effect " + request.operationId() + " could not be observed", e);
            return Observed.only(EffectOutcome.unconfirmed(
                    "The effect could not be observed; its intent is kept, and nothing is sent a second time."));
        }
    }

    /** Ending windows may be repeated: it is an observation of this host's own processes, and never reaches the guest. */
    private EffectOutcome closeViewer(BindingRecord selected, EffectDispatch dispatch) {
        boolean[] closed = new boolean[1];
        boolean sent = dispatch.again(() -> closed[0] = viewers.close(selected.bindingId()));
        if (!sent) {
            return EffectOutcome.pending("The selection changed before the dispatch; no window was closed.");
        }
        return closed[0]
                ? EffectOutcome.confirmed()
                : EffectOutcome.unconfirmed("Not every window's end is observed; native and compute are as they were.");
    }

    private EffectOutcome stopNative(BindingRecord selected, EffectDispatch dispatch) {
        EnvironmentBinding binding = selected.binding();
        EnvironmentDriver driver = reader.driver(binding);
        LaunchJournal.ConfirmedNative confirmed = launches.confirmedNative(selected);
        reader.observe(binding, false);
        NativeObservation before = Provider.asked(() -> driver.nativeIdentity(binding));
        EffectRules.requireNative(before, confirmed.nativeId(), confirmed.generation());
        if (before.running()) {
            if (!dispatch.once(allowed -> driver.stopNative(binding, before, dispatch.effectId(), allowed))) {
                return EffectOutcome.pending("The selection changed before the dispatch; no signal was sent.");
            }
            NativeObservation after = Provider.asked(() -> driver.nativeIdentity(binding));
            if (!EffectRules.isNative(after, confirmed.nativeId(), confirmed.generation())) {
                return EffectOutcome.unconfirmed("Another native was observed after the stop.");
            }
            if (after.running()) {
                return EffectOutcome.pending("TERM was asked for; the native still runs.");
            }
        }
        return EffectOutcome.ended(running(driver, binding));
    }

    /** Null when the driver cannot tell: what runs beside the native is no part of the effect. */
    private static List<String> running(EnvironmentDriver driver, EnvironmentBinding binding) {
        try {
            return Provider.asked(() -> driver.running(binding));
        } catch (BerthException e) {
            LOG.log(Level.FINE, "what runs in " + binding.bindingId() + " is not known", e);
            return null;
        }
    }

    private Observed stopCompute(BindingRecord selected, EffectDispatch dispatch) {
        EnvironmentBinding binding = selected.binding();
        EnvironmentDriver driver = reader.driver(binding);
        EnvironmentResource before = reader.observe(binding, false);
        EffectOutcome already = EffectRules.stopped(before.phase());
        if (already.isConfirmed()) {
            return new Observed(already, before, false);
        }
        if (!dispatch.once(allowed -> driver.stopCompute(binding, dispatch.effectId(), allowed))) {
            return Observed.only(
                    EffectOutcome.pending("The selection changed before the dispatch; nothing was stopped."));
        }
        EnvironmentResource after = reader.observe(binding, false);
        EffectOutcome outcome = EffectRules.stopped(after.phase());
        return new Observed(outcome, outcome.isConfirmed() ? after : null, false);
    }

    /** The receipt that was recorded first, in one transaction with what it says of the binding. */
    private Map<String, Object> record(
            BindingRecord selected, EnvironmentOperation operation, Map<String, Object> receipt, Observed observed) {
        return journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            if (EffectRules.stillSelected(selected, current)) {
                if (observed.resource() != null) {
                    store.save(current.with(current.binding().withResource(observed.resource())));
                } else if (observed.released()) {
                    store.save(current.released());
                }
            }
            store.confirm(operation.operationId(), CanonicalJson.write(receipt));
            return StrictJson.object(store.operation(operation.operationId())
                    .map(EnvironmentOperation::receipt)
                    .orElseGet(() -> CanonicalJson.write(receipt)));
        });
    }
}
