package org.berth.environment;

import java.util.List;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What a listing says about a create. Incomplete, ambiguous and missing are three answers, and none of them is absence. */
public sealed interface CreateReconciliation {
    /** The listing is not complete: nothing may be concluded from it. */
    record Incomplete() implements CreateReconciliation {}

    /** The environment that carries the effect's id. */
    record Found(EnvironmentResource resource) implements CreateReconciliation {}

    /** The provider was asked before and shows nothing yet: asking again could make a second one. */
    record Unresolved() implements CreateReconciliation {}

    /** The provider was never asked and the name is free: create. */
    record Absent() implements CreateReconciliation {}

    record Refused(BerthException problem) implements CreateReconciliation {}

    /** Judges {@code listing} for the journalled create {@code operation} of {@code placement}. */
    static CreateReconciliation decide(
            EnvironmentListing listing, EnvironmentOperation operation, EnvironmentPlacement placement) {
        if (!listing.complete()) {
            return new Incomplete();
        }
        List<EnvironmentResource> matches = listing.resources().stream()
                .filter(each -> operation.effectId().equals(each.operationId()))
                .toList();
        if (matches.size() > 1) {
            return refused(
                    ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES,
                    "More than one environment carries the id of this create; none was chosen.");
        }
        if (matches.size() == 1) {
            EnvironmentResource found = matches.getFirst();
            return selected(found, placement)
                    ? new Found(found)
                    : refused(
                            ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                            "The environment of this create has another name or workspace than was selected.");
        }
        if (operation.state() != OperationState.INTENT) {
            return new Unresolved();
        }
        boolean taken =
                listing.resources().stream().anyMatch(each -> placement.name().equals(each.name()));
        return taken
                ? refused(
                        ProblemCode.ENVIRONMENT_NAME_IN_USE,
                        "The selected name belongs to an environment of somebody else.")
                : new Absent();
    }

    /** Whether the provider's own answer to a create is what was asked for. */
    static boolean answered(EnvironmentResource resource, String effectId, EnvironmentPlacement placement) {
        return resource != null && selected(resource, placement) && effectId.equals(resource.operationId());
    }

    private static boolean selected(EnvironmentResource resource, EnvironmentPlacement placement) {
        return resource.id() != null
                && !resource.id().isEmpty()
                && placement.name().equals(resource.name())
                && placement.workspace().equals(resource.workspace());
    }

    private static CreateReconciliation refused(ProblemCode code, String sentence) {
        return new Refused(new BerthException(code, sentence));
    }
}
