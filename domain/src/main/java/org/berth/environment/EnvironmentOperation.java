package org.berth.environment;

import java.time.Instant;

/**
 * One journalled operation.
 *
 * @param operationId the caller's id, unique over all bindings
 * @param request the canonical JSON of the request
 * @param effectId {@code env-} and a UUID: the mark that the provider's resource carries; null where there is none
 * @param receipt JSON of what was observed; null until confirmed
 */
public record EnvironmentOperation(
        String operationId,
        String bindingId,
        OperationKind kind,
        String request,
        String effectId,
        OperationState state,
        String receipt,
        Instant createdAt) {}
