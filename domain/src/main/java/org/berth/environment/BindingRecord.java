package org.berth.environment;

import java.time.Instant;
import java.util.List;

/**
 * A binding as it is stored.
 *
 * @param incarnation tells two bindings of the same id apart, of which the first was unbound
 * @param hostId the host whose server made it; only that one may act on it
 * @param holdsName whether gateway, workspace and name are reserved for it; false after its confirmed deletion
 * @param projection the verified files of the last projection; null before one
 */
public record BindingRecord(
        EnvironmentBinding binding,
        String incarnation,
        String hostId,
        boolean holdsName,
        List<ProjectionReceipt> projection,
        Instant createdAt) {
    public BindingRecord {
        projection = projection == null ? null : List.copyOf(projection);
    }

    public String bindingId() {
        return binding.bindingId();
    }

    /** The same with another binding, for example after its resource was observed. */
    public BindingRecord with(EnvironmentBinding changed) {
        return new BindingRecord(changed, incarnation, hostId, holdsName, projection, createdAt);
    }

    /** The same with a projection of {@code generation}; both null take the projection away. */
    public BindingRecord projected(List<ProjectionReceipt> files, String generation) {
        EnvironmentBinding changed =
                new EnvironmentBinding(binding.config(), binding.ownership(), binding.resource(), generation);
        return new BindingRecord(changed, incarnation, hostId, holdsName, files, createdAt);
    }

    /** The same after the confirmed deletion of its environment, where there was one: its name is free. */
    public BindingRecord released() {
        EnvironmentBinding gone = binding.resource() == null
                ? binding
                : binding.withResource(binding.resource().in(EnvironmentRules.DELETED));
        return new BindingRecord(gone, incarnation, hostId, false, projection, createdAt);
    }

    /** The same on {@code successor}, which holds its name; the projection and generation of the predecessor are no more. */
    public BindingRecord recreated(EnvironmentPlacement placement, EnvironmentResource successor) {
        EnvironmentBinding changed =
                new EnvironmentBinding(binding.config().withPlacement(placement), binding.ownership(), successor, null);
        return new BindingRecord(changed, incarnation, hostId, true, null, createdAt);
    }
}
