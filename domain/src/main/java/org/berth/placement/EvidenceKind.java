package org.berth.placement;

import java.util.Locale;

/** The kinds of evidence rows, with the reference's names ({@code child.started}). Source: placement.md, Start. */
public enum EvidenceKind {
    INTENT_RECORDED,
    RUNNER_STARTED,
    RUNNER_EXITED,
    HOME_CREATED,
    HOME_FAILED,
    SESSION_ATTACHED,
    SESSION_FAILED,
    ENVIRONMENT_FAILED,
    CREDENTIAL_MATERIALIZED,
    CREDENTIAL_REFUSED,
    CREDENTIAL_REVOKED,
    GRANT_REFUSED,
    GRANT_REVOKED,
    CONFIGURATION_MATERIALIZED,
    CONFIGURATION_REFUSED,
    CONFIGURATION_UNCERTAIN,
    WORKDIR_FAILED,
    EXECUTABLE_MEASURED,
    EXECUTABLE_CHANGED,
    CHILD_REFUSED,
    CHILD_START_FAILED,
    CHILD_STARTED,
    CHILD_NOT_STARTED,
    CHILD_EXITED,
    STDIN_ACCEPTED,
    STDIN_CLOSED,
    STDIN_UNCERTAIN,
    STOP_REQUESTED,
    STOP_UNPROVEN,
    SIGNAL_TERM,
    SIGNAL_KILL,
    SIGNAL_GROUP,
    OUTPUT_DRAIN_ELAPSED,
    OUTPUT_LOST,
    CARRIER_REPLACED,
    ATTACHMENT_FENCED,
    ATTACHMENT_UNCERTAIN,
    RECONCILE_ALIVE,
    RECONCILE_SUPERVISED,
    RECONCILE_ABSENT,
    RECONCILE_UNIDENTIFIED,
    RECONCILE_UNOBSERVED,
    CLEANUP_REFUSED,
    CLEANUP_FAILED,
    CLEANUP_COMPLETE,
    // Last, since supervisors of an earlier release number the others by their place.
    CONTAINER_CREATED,
    CONTAINER_KILLED,
    CONTAINER_REMOVED,
    WORKDIR_PREPARER_STATE,
    WORKDIR_PREPARER_SETUP,
    WORKDIR_PREPARER_CLEANED,
    WORKDIR_PREPARER_RETAINED,
    WORKDIR_PREPARER_FAILED,
    LOGIN_WRITTEN_BACK,
    LOGIN_KEPT;

    private static final String PREPARER = "workdir_preparer_";

    /** {@code CHILD_NOT_STARTED} is {@code child.not_started}: the first underscore parts area from fact. */
    public String wire() {
        String name = name().toLowerCase(Locale.ROOT);
        // The one area whose own name holds an underscore.
        return name.startsWith(PREPARER)
                ? "workdir_preparer." + name.substring(PREPARER.length())
                : name.replaceFirst("_", ".");
    }
}
