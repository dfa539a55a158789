package org.berth.environment;

import java.util.Map;
import java.util.function.BooleanSupplier;
import org.berth.work.Actor;

/** The entry to effects on environments, for the REST route and for finite completion. */
public interface EnvironmentEffects {
    /**
     * Does the effect once, or answers what was observed of the same operation before.
     *
     * @param eligible asked once more right before the dispatch; what it denies is not sent and may be asked for again
     * @return the receipt as a JSON tree; {@code state} is confirmed, pending or unconfirmed
     */
    Map<String, Object> effect(String bindingId, EffectRequest request, Actor actor, BooleanSupplier eligible);
}
