package org.berth.environment.service;

import java.util.function.Supplier;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Calls of drivers: what they throw without a code says nothing about an effect. */
final class Provider {
    private Provider() {}

    /** @throws BerthException the driver's own; environment_unconfirmed for any other failure */
    static <T> T asked(Supplier<T> call) {
        try {
            return call.get();
        } catch (BerthException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_UNCONFIRMED,
                    "The environment's provider gave no confirmed answer; what was journalled is kept.",
                    e);
        }
    }
}
