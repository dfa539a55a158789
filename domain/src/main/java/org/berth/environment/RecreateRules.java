package org.berth.environment;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * When compute may be made anew for a saved conversation. Every rule throws what it refuses, and they are asked in the
 * order in which they stand here. Source: the reference's lifecycle, recreate.
 */
public final class RecreateRules {
    /** What of two inventories must be equal for their environments to be on one host and engine. */
    private static final List<String> ENGINE = List.of("driver", "host", "uid", "socketDevice", "socketInode");

    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,17}[a-z0-9])?");
    private static final Pattern SPACE = Pattern.compile("[\\s\\x00]", Pattern.UNICODE_CHARACTER_CLASS);

    private RecreateRules() {}

    /** @throws BerthException environment_attached_preserved, also for a binding without a confirmed environment */
    public static void requireOwned(EnvironmentBinding binding) {
        if (binding.ownership() != Ownership.OWNED || binding.resource() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_ATTACHED_PRESERVED,
                    "Only an environment that Berth made can be made again; an attached one stays as it is.");
        }
    }

    /**
     * That {@code checkpoint} is this binding's and is the conversation that the request names.
     *
     * @param checkpoint null when there is none of that id
     * @throws BerthException environment_checkpoint_missing
     */
    public static void requireCheckpoint(
            EnvironmentBinding binding, RecreateRequest request, EnvironmentCheckpoint checkpoint) {
        boolean exact = checkpoint != null
                && binding.bindingId().equals(checkpoint.bindingId())
                && Objects.equals(binding.config().nodeId(), checkpoint.nodeId())
                && binding.config().seat().equals(checkpoint.seat())
                && Objects.equals(request.resumeType(), checkpoint.nativeType())
                && Objects.equals(request.resumeToken(), checkpoint.nativeId());
        if (!exact) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING,
                    "This binding has no checkpoint of that id, type and conversation; nothing was made, and no"
                            + " conversation is begun in its place.");
        }
    }

    /** @throws BerthException environment_generation_changed */
    public static void requireGeneration(RecreateRequest request, EnvironmentCheckpoint checkpoint) {
        if (!request.generation().equals(checkpoint.generation())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_GENERATION_CHANGED,
                    "The generation must be the predecessor's, of which the checkpoint was taken.");
        }
    }

    /** That host, workspace and image stay; name, provider and policy may be others. @throws BerthException environment_recreate_changed */
    public static void requirePlacement(EnvironmentPlacement bound, EnvironmentPlacement wanted) {
        boolean same = bound.gateway().equals(wanted.gateway())
                && bound.workspace().equals(wanted.workspace())
                && bound.image().equals(wanted.image())
                && wanted.provider() != null
                && !wanted.provider().isEmpty()
                && wanted.provider().length() <= EnvironmentConfigDecoder.MAX_NAME
                && !SPACE.matcher(wanted.provider()).find()
                && wanted.name() != null
                && NAME.matcher(wanted.name()).matches();
        if (!same) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_RECREATE_CHANGED,
                    "Gateway, workspace and image must be the predecessor's, and the placement must select a name and a"
                            + " provider.");
        }
    }

    /** The intent. @param selected the request's placement with its policy's digest */
    public static OperationIntent intent(
            String bindingId,
            RecreateRequest request,
            EnvironmentPlacement selected,
            EnvironmentCheckpoint checkpoint) {
        EnvironmentRules.identifier(request.operationId(), "operationId");
        return OperationIntent.of(
                request.operationId(),
                bindingId,
                OperationKind.RECREATE,
                request.tree(selected, checkpoint.predecessorResourceId()),
                request.requestedBy());
    }

    /** That the binding still is on the predecessor. @throws BerthException environment_selection_changed */
    public static void requirePredecessor(EnvironmentBinding binding, EnvironmentCheckpoint checkpoint) {
        if (binding.resource() == null
                || !checkpoint.predecessorResourceId().equals(binding.resource().id())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED,
                    "The binding is on other compute than the one that the checkpoint was taken of.");
        }
    }

    /**
     * The predecessor's binding, whose parts must be absent.
     *
     * @param checkpoint supplies the predecessor's id
     */
    public static EnvironmentBinding predecessor(EnvironmentBinding binding, EnvironmentCheckpoint checkpoint) {
        EnvironmentResource bound = binding.resource();
        return binding.withResource(new EnvironmentResource(
                checkpoint.predecessorResourceId(),
                bound.name(),
                bound.workspace(),
                bound.phase(),
                bound.fingerprint(),
                bound.operationId()));
    }

    /** @throws BerthException environment_listing_incomplete, environment_predecessor_present */
    public static void requireGone(EnvironmentListing listing, EnvironmentCheckpoint checkpoint) {
        if (!listing.complete()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE,
                    "The provider's listing is not complete, which proves nothing; nothing was made.");
        }
        if (listing.resources().stream()
                .anyMatch(each -> checkpoint.predecessorResourceId().equals(each.id()))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_PREDECESSOR_PRESENT,
                    "The predecessor is still there; stop and delete it first.");
        }
    }

    /** @param remaining null when nothing can be said @throws BerthException environment_cleanup_unconfirmed */
    public static void requireAbsent(DependentObservation remaining) {
        if (remaining == null || !remaining.absent()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED,
                    "It is not proven that workload, supervisor and volumes of the predecessor are gone.");
        }
    }

    /**
     * The successor that the listing shows for {@code operation}; null when the provider shows none and the name is free.
     *
     * @param earlier effect ids of the binding's other recreations
     * @throws BerthException environment_duplicate_resources, environment_identity_changed, environment_name_in_use
     */
    public static EnvironmentResource successor(
            EnvironmentListing listing,
            EnvironmentOperation operation,
            Set<String> earlier,
            EnvironmentPlacement placement,
            EnvironmentCheckpoint checkpoint) {
        List<EnvironmentResource> matches = listing.resources().stream()
                .filter(each -> operation.effectId().equals(each.operationId()))
                .toList();
        if (matches.size() > 1) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES,
                    "More than one environment carries the id of this recreation; none was chosen.");
        }
        if (matches.size() == 1) {
            requireSuccessor(matches.getFirst(), operation, placement, checkpoint);
            return matches.getFirst();
        }
        if (listing.resources().stream().anyMatch(each -> earlier.contains(each.operationId()))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES,
                    "Another recreation of this binding made an environment; repeat that one.");
        }
        if (listing.resources().stream().anyMatch(each -> placement.name().equals(each.name()))) {
            throw nameInUse();
        }
        return null;
    }

    public static BerthException nameInUse() {
        return new BerthException(
                ProblemCode.ENVIRONMENT_NAME_IN_USE, "The successor's name belongs to another environment.");
    }

    /** @param resource null when the provider answered with none @throws BerthException environment_identity_changed */
    public static void requireSuccessor(
            EnvironmentResource resource,
            EnvironmentOperation operation,
            EnvironmentPlacement placement,
            EnvironmentCheckpoint checkpoint) {
        boolean exact = resource != null
                && resource.id() != null
                && !resource.id().isEmpty()
                && !resource.id().equals(checkpoint.predecessorResourceId())
                && placement.name().equals(resource.name())
                && placement.workspace().equals(resource.workspace())
                && operation.effectId().equals(resource.operationId());
        if (!exact) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                    "The successor is not the environment that this recreation asked for.");
        }
    }

    /**
     * That both inventories are of one host and engine.
     *
     * @param predecessor null when none was kept
     * @throws BerthException environment_cleanup_unconfirmed, environment_restore_host_changed
     */
    public static void requireSameEngine(Map<String, Object> predecessor, Map<String, Object> successor) {
        if (predecessor == null) {
            throw noInventory();
        }
        if (!ENGINE.stream().allMatch(key -> Objects.equals(predecessor.get(key), successor.get(key)))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_RESTORE_HOST_CHANGED,
                    "The successor is not on the host and engine of its predecessor.");
        }
    }

    public static BerthException noInventory() {
        return new BerthException(
                ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED,
                "The predecessor's host and engine were not recorded; nothing proves that the successor is on the same.");
    }
}
