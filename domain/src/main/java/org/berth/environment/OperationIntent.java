package org.berth.environment;

import org.berth.placement.CanonicalJson;

/**
 * What is about to be journalled.
 *
 * @param request the canonical JSON by which a repeated id is recognised as the same request
 * @param requestedBy the seat that asks; null when Berth asks by itself
 */
public record OperationIntent(
        String operationId, String bindingId, OperationKind kind, String request, String requestedBy) {
    /** An intent with the canonical text of {@code requestTree}. */
    public static OperationIntent of(
            String operationId, String bindingId, OperationKind kind, Object requestTree, String requestedBy) {
        return new OperationIntent(operationId, bindingId, kind, CanonicalJson.write(requestTree), requestedBy);
    }

    /** Whether {@code saved} is this same operation. */
    public boolean is(EnvironmentOperation saved) {
        return operationId.equals(saved.operationId())
                && bindingId.equals(saved.bindingId())
                && kind == saved.kind()
                && request.equals(saved.request());
    }
}
