package org.berth.environment;

/**
 * One environment of one seat.
 *
 * @param resource null until the provider's resource is confirmed
 * @param generation the occupant generation of the last projection; null before one
 */
public record EnvironmentBinding(
        EnvironmentConfig config, Ownership ownership, EnvironmentResource resource, String generation) {
    public String bindingId() {
        return config.bindingId();
    }

    public EnvironmentPlacement placement() {
        return config.placement();
    }
}
