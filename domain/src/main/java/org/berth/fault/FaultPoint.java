package org.berth.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The one registry of the server's fault points: each lies between two durable writes or beside an outside effect.
 * With {@code -Dberth.fault=NAME} the virtual machine halts at the point, as kill -9 would; without it a point costs
 * one comparison. With {@code -Dberth.fault.pause=DIRECTORY} the first that comes to a point whose name is a file there
 * renames it to {@code NAME.hit} and waits until that is gone: others can die meanwhile, or the server itself while several
 * operations wait, each at its point. Acceptance tests kill at each, and fail when one is not hit. Source: architecture.md,
 * After a crash.
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
    COMPLETION_RECORDED,
    RECREATE_INTENT,
    RECREATE_CLAIMED,
    RECREATE_CREATED,
    RECREATE_INVENTORY,
    RECREATE_RECORDED,
    RESTORE_CLAIMED,
    RESTORE_STAGED,
    PREPARER_PLANNED,
    PREPARER_SET_UP,
    PREPARER_CLEANED,
    AGENT_LOGIN_WRITTEN,
    AGENT_SEEDED,
    AGENT_CONFIGURED;

    private static final int EXIT_STATUS_OF_A_KILL = 137;

    /** Null where nothing pauses. */
    private static final Path PAUSES =
            System.getProperty("berth.fault.pause") == null ? null : Path.of(System.getProperty("berth.fault.pause"));

    /** Ends the name of the file of a point that somebody waits at. */
    public static final String HIT = ".hit";

    private static final int LOOK_MILLIS = 10;

    private final boolean chosen = name().equals(System.getProperty("berth.fault", ""));

    /** Halts here when this point was chosen. */
    public void hit() {
        if (chosen) {
            Runtime.getRuntime().halt(EXIT_STATUS_OF_A_KILL);
        }
        if (PAUSES != null) {
            pause(PAUSES.resolve(name()));
        }
    }

    /** One arrival takes the file, so that a test can hold one operation here and let the next ones pass. */
    private void pause(Path armed) {
        Path hit = armed.resolveSibling(name() + HIT);
        try {
            if (!Files.exists(armed)) {
                return;
            }
            Files.move(armed, hit, StandardCopyOption.ATOMIC_MOVE);
            while (Files.exists(hit)) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (NoSuchFileException e) {
            // Another arrival took it.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
