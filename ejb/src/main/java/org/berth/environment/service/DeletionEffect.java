package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import org.berth.environment.BindingRecord;
import org.berth.environment.DeletionReconciliation;
import org.berth.environment.EffectOutcome;
import org.berth.environment.EffectRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.problem.BerthException;

/** Deletes an owned environment and proves that its workload, supervisor and volumes are gone. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class DeletionEffect {
    @Inject
    private EnvironmentReader reader;

    @Inject
    private CleanupInventories inventories;

    /** For the container, which injects. */
    public DeletionEffect() {}

    DeletionEffect(EnvironmentReader reader, CleanupInventories inventories) {
        this.reader = reader;
        this.inventories = inventories;
    }

    /**
     * @param engineSocket the provider's engine socket as the caller named it; may be null
     * @throws BerthException environment_identity_changed, environment_engine_required,
     *     environment_cleanup_unconfirmed; the driver's
     */
    EffectOutcome delete(BindingRecord selected, String engineSocket, EffectDispatch dispatch) {
        EnvironmentBinding binding = selected.binding();
        EnvironmentDriver driver = reader.driver(binding);
        return switch (listed(driver, binding)) {
            case DeletionReconciliation.Incomplete _ ->
                EffectOutcome.unconfirmed("The provider's listing is incomplete; nothing was deleted.");
            case DeletionReconciliation.Refused refused -> throw refused.problem();
            case DeletionReconciliation.Absent _ -> proven(driver, binding);
            case DeletionReconciliation.Present _ -> {
                inventories.captured(driver, selected, engineSocket);
                String effectId = dispatch.effectId();
                if (!dispatch.once(allowed -> driver.deleteEnvironment(binding, effectId, allowed))) {
                    yield EffectOutcome.pending("The selection changed before the dispatch; nothing was deleted.");
                }
                yield listed(driver, binding) instanceof DeletionReconciliation.Absent
                        ? proven(driver, binding)
                        : EffectOutcome.pending(
                                "The deletion was asked for; the environment's absence is not confirmed yet.");
            }
        };
    }

    private EffectOutcome proven(EnvironmentDriver driver, EnvironmentBinding binding) {
        String inventory = inventories.find(binding.resource().id()).orElse(null);
        return EffectRules.deleted(
                inventory == null ? null : Provider.asked(() -> driver.cleanupState(binding, inventory)));
    }

    private static DeletionReconciliation listed(EnvironmentDriver driver, EnvironmentBinding binding) {
        return DeletionReconciliation.decide(
                Provider.asked(() -> driver.list(binding.placement())), binding.resource());
    }
}
