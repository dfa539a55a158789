package org.berth.environment;

import java.time.Instant;

/**
 * One journalled operation.
 *
 * @param operationId the caller's id, unique over all bindings
 * @param request the canonical JSON of the request
 * @param effectId {@code env-} and a UUID: the mark that the provider's resource carries; null where there is none
 * @param receipt JSON of what was observed; null until confirmed
 * @param requestedBy the seat that asked first; null when Berth asked by itself
 * @param refusal the wire name of the code that ended it; null unless REFUSED
 */
public record EnvironmentOperation(
        String operationId,
        String bindingId,
        OperationKind kind,
        String request,
        String effectId,
        OperationState state,
        String receipt,
        String requestedBy,
        String refusal,
        Instant createdAt) {}
