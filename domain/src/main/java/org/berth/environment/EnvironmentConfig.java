package org.berth.environment;

/**
 * What a caller selects when it binds an environment to a seat.
 *
 * @param bindingId 1 to 160 letters, digits or {@code . _ -}
 * @param nodeId the node; null until the seat's first launch claims it
 * @param seat {@code member@rig}
 * @param coordinationRef absolute host path of the private work connection; null when Berth issues the work grant itself
 * @param artifactRoot absolute host directory of returned artifacts; null for the state root's own
 * @param baseRuntime {@value EnvironmentRules#BASE_RUNTIME}
 * @param guestRoot {@value EnvironmentRules#GUEST_ROOT}
 * @param guestBaseUrl the origin under which the guest reaches the activity listener
 */
public record EnvironmentConfig(
        String bindingId,
        String nodeId,
        String seat,
        String coordinationRef,
        String artifactRoot,
        String baseRuntime,
        String guestRoot,
        String guestBaseUrl,
        EnvironmentPlacement placement) {}
