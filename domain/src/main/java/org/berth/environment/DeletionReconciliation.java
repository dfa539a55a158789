package org.berth.environment;

import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What a listing says about an environment that is to be deleted. An incomplete one says nothing. */
public sealed interface DeletionReconciliation {
    /** The listing is not complete: nothing may be concluded from it. */
    record Incomplete() implements DeletionReconciliation {}

    /** Exactly the bound environment is there. */
    record Present(EnvironmentResource resource) implements DeletionReconciliation {}

    /** Neither the id nor the name is there. */
    record Absent() implements DeletionReconciliation {}

    record Refused(BerthException problem) implements DeletionReconciliation {}

    /** Judges {@code listing} for the confirmed resource {@code bound}. */
    static DeletionReconciliation decide(EnvironmentListing listing, EnvironmentResource bound) {
        if (!listing.complete()) {
            return new Incomplete();
        }
        for (EnvironmentResource each : listing.resources()) {
            boolean sameId = bound.id().equals(each.id());
            if (sameId && isRestOf(each, bound)) {
                return new Present(each);
            }
            if (sameId || bound.name().equals(each.name())) {
                return new Refused(new BerthException(
                        ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                        "The name belongs to another environment now; nothing was deleted."));
            }
        }
        return new Absent();
    }

    /** A provider that lost the workload shows the rest without a fingerprint. */
    private static boolean isRestOf(EnvironmentResource each, EnvironmentResource bound) {
        return each.is(bound)
                || each.fingerprint() == null
                        && each.name().equals(bound.name())
                        && each.workspace().equals(bound.workspace());
    }
}
