package org.berth.environment;

/**
 * One effect that somebody asks for.
 *
 * @param generation the occupant generation that the caller has in mind
 * @param engineSocket the provider's engine socket, of which the OpenShell driver is told at a deletion; may be null
 */
public record EffectRequest(String operationId, String generation, EnvironmentEffect effect, String engineSocket) {}
