package org.berth.fault;

/**
 * The one registry of the server's fault points: each lies between two durable writes or beside an outside effect.
 * With {@code -Dberth.fault=NAME} the virtual machine halts at the point, as kill -9 would; without it a point costs
 * one comparison. Acceptance tests kill at each, and fail when one is not hit. Source: architecture.md, After a crash.
 */
public enum FaultPoint {
    START_CLAIMED,
    START_HOME_CREATED,
    START_BEFORE_SPAWN,
    START_SPAWNED,
    START_RECORDED,
    STOP_RECORDED,
    STOP_ORDERED,
    EVENT_BEFORE_COMMIT,
    EVENT_COMMITTED,
    CLEANUP_PROVEN,
    CLEANUP_HOME_REMOVED,
    CLEANUP_RECORDED,
    CREATE_INTENT,
    CREATE_CLAIMED,
    CREATE_EFFECT,
    CREATE_RECORDED,
    PROJECT_WRITTEN,
    PROJECT_RECORDED,
    EXPORT_INTENT,
    EXPORT_STAGED,
    EXPORT_PUBLISHED,
    EXPORT_RECORDED,
    LAUNCH_INTENT,
    LAUNCH_GRANTED,
    LAUNCH_WRITTEN,
    LAUNCH_CLAIMED,
    LAUNCH_PREPARED,
    LAUNCH_VIEWED,
    LAUNCH_RECORDED,
    EFFECT_INTENT,
    EFFECT_CLAIMED,
    EFFECT_DISPATCHED,
    EFFECT_OBSERVED,
    EFFECT_RECORDED,
    CHECKPOINT_INTENT,
    CHECKPOINT_SELECTED,
    CHECKPOINT_STAGED,
    CHECKPOINT_TRANSFERRED,
    CHECKPOINT_VERIFIED,
    CHECKPOINT_RECORDED,
    CHECKPOINT_REMOVED,
    COMPLETION_SELECTED,
    COMPLETION_STAMPED,
    COMPLETION_STOPPED,
    COMPLETION_RECORDED;

    private static final int EXIT_STATUS_OF_A_KILL = 137;

    private final boolean chosen = name().equals(System.getProperty("berth.fault", ""));

    /** Halts here when this point was chosen. */
    public void hit() {
        if (chosen) {
            Runtime.getRuntime().halt(EXIT_STATUS_OF_A_KILL);
        }
    }
}
