package org.berth.environment;

/**
 * One environment as its provider shows it.
 *
 * @param id the provider's immutable id
 * @param phase the provider's word; {@value EnvironmentRules#READY} and {@value EnvironmentRules#STOPPED} have a meaning
 * @param fingerprint null when the provider has none
 * @param operationId the effect id that made it; null when it carries none
 */
public record EnvironmentResource(
        String id, String name, String workspace, String phase, String fingerprint, String operationId) {
    /** The same in another phase. */
    public EnvironmentResource in(String observed) {
        return new EnvironmentResource(id, name, workspace, observed, fingerprint, operationId);
    }

    /** Whether this is {@code expected}: same id, name and workspace, and its fingerprint where one is expected. */
    public boolean is(EnvironmentResource expected) {
        return id.equals(expected.id)
                && name.equals(expected.name)
                && workspace.equals(expected.workspace)
                && (expected.fingerprint == null || expected.fingerprint.equals(fingerprint));
    }
}
