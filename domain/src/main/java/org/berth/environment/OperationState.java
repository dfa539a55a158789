package org.berth.environment;

/** How far a journalled operation is; only the one who moves INTENT to REQUESTED calls the provider. */
public enum OperationState {
    INTENT,
    REQUESTED,
    CONFIRMED,
    REFUSED
}
