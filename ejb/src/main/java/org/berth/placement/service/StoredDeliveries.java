package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.berth.driver.Delivery;
import org.berth.json.StrictJson;
import org.berth.placement.Attempt;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What a driver rendered for an attempt, decoded and checked again before each use. */
@ApplicationScoped
public class StoredDeliveries {
    @Inject
    private AttemptRepository attempts;

    /** @throws BerthException STORAGE when nothing is stored, or what is stored is no delivery */
    Delivery of(Attempt attempt) {
        String stored = attempts.delivery(attempt.attemptId())
                .orElseThrow(() -> new BerthException(
                        ProblemCode.STORAGE, "the configuration of the launch is not stored with its intent"));
        try {
            return Delivery.of(StrictJson.object(stored));
        } catch (BerthException e) {
            throw e.code() == ProblemCode.STORAGE
                    ? e
                    : new BerthException(
                            ProblemCode.STORAGE, "the stored configuration of the launch cannot be used", e);
        }
    }
}
