package org.berth.environment;

/** What a journalled operation does. Wire names are the lower-case names with hyphens. */
public enum OperationKind {
    CREATE,
    ATTACH,
    LAUNCH,
    EXPORT,
    EFFECT,
    CHECKPOINT,
    CHECKPOINT_SELECTION,
    CLEANUP_INVENTORY,
    RECREATE,
    COMPLETION
}
