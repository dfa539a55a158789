package org.berth.environment.service;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.BindingRecord;
import org.berth.environment.EffectRules;
import org.berth.environment.EnvironmentOperation;
import org.berth.fault.FaultPoint;
import org.berth.problem.BerthException;

/**
 * Sends one effect, once. The claim is taken back only where it is known that nothing was sent: eligibility was denied, or
 * the driver failed before it asked for it. Source: environments.md, The rule of every effect.
 */
final class EffectDispatch {
    private static final Logger LOG = Logger.getLogger(EffectDispatch.class.getName());

    private final EnvironmentJournal journal;
    private final BindingRecord selected;
    private final EnvironmentOperation operation;
    private final BooleanSupplier eligible;

    /** @param eligible the caller's own condition */
    EffectDispatch(
            EnvironmentJournal journal,
            BindingRecord selected,
            EnvironmentOperation operation,
            BooleanSupplier eligible) {
        this.journal = journal;
        this.selected = selected;
        this.operation = operation;
        this.eligible = eligible;
    }

    /** Asks whether the effect may be sent, and remembers what was answered. */
    private final class Gate implements BooleanSupplier {
        private boolean asked;
        private boolean denied;

        @Override
        public boolean getAsBoolean() {
            asked = true;
            boolean allowed = allowed();
            denied |= !allowed;
            return allowed;
        }
    }

    /** The mark of the effect, for the driver. */
    String effectId() {
        return operation.effectId();
    }

    /** Whether generation, resource and the caller's own condition still hold. */
    boolean allowed() {
        BindingRecord current =
                journal.read(store -> store.find(selected.bindingId())).orElse(null);
        return EffectRules.stillSelected(selected, current) && eligible.getAsBoolean();
    }

    /**
     * @param effect gets what the driver asks right before it sends
     * @return whether the effect may have been sent, now or by an earlier call
     * @throws BerthException what the driver refused before it sent anything
     */
    boolean once(Consumer<BooleanSupplier> effect) {
        if (!journal.claim(operation.operationId())) {
            return true;
        }
        FaultPoint.EFFECT_CLAIMED.hit();
        Gate gate = new Gate();
        try {
            if (!allowed()) {
                release();
                return false;
            }
            effect.accept(gate);
        } catch (RuntimeException e) {
            if (gate.denied) {
                release();
                return false;
            }
            if (!gate.asked) {
                release();
                throw e;
            }
            LOG.log(Level.INFO, "what became of effect " + operation.effectId() + " is observed, not repeated", e);
        }
        FaultPoint.EFFECT_DISPATCHED.hit();
        return true;
    }

    /** As {@link #once}, for what may be done more than once. */
    boolean again(Runnable effect) {
        journal.claim(operation.operationId());
        FaultPoint.EFFECT_CLAIMED.hit();
        if (!allowed()) {
            release();
            return false;
        }
        effect.run();
        FaultPoint.EFFECT_DISPATCHED.hit();
        return true;
    }

    private void release() {
        journal.release(operation.operationId());
    }
}
