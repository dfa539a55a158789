package org.berth.activity;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How a hook event decides a seat's activity, and how long it does. */
public final class ActivityRules {
    /** An older event says nothing about now. Source: environments.md, Activity: 5 minutes. */
    public static final Duration FRESH = Duration.ofMinutes(5);

    private ActivityRules() {}

    /**
     * The state that an event proves; empty for one that changes nothing, such as a note about a login.
     *
     * @param subtype the kind of a notification; null when the hook has none
     */
    public static Optional<ActivityState> decides(String hookEvent, String subtype) {
        return switch (hookEvent) {
            case "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "ElicitationResult" ->
                Optional.of(ActivityState.RUNNING);
            case "PermissionRequest", "Elicitation" -> Optional.of(ActivityState.NEEDS_INPUT);
            case "Stop", "StopFailure", "idle_prompt" -> Optional.of(ActivityState.IDLE);
            case "SessionStart", "SessionEnd" -> Optional.of(ActivityState.UNKNOWN);
            case "Notification" -> notified(subtype);
            default -> Optional.empty();
        };
    }

    private static Optional<ActivityState> notified(String subtype) {
        if (subtype == null) {
            return Optional.empty();
        }
        if (subtype.equals("idle_prompt")) {
            return Optional.of(ActivityState.IDLE);
        }
        return subtype.startsWith("permission") || subtype.startsWith("elicitation")
                ? Optional.of(ActivityState.NEEDS_INPUT)
                : Optional.empty();
    }

    /** When an event happened: what the poster says, but never later than its receipt, so that none stays fresh. */
    public static Instant occurred(Instant claimed, Instant receivedAt) {
        return claimed == null || claimed.isAfter(receivedAt) ? receivedAt : claimed;
    }

    /** What {@code last}, the latest deciding event of the seat's current generation, says at {@code now}. */
    public static ActivityReading read(Optional<ActivityEvent> last, Instant now) {
        return last.map(event -> {
                    boolean stale = Duration.between(event.occurredAt(), now).compareTo(FRESH) > 0;
                    return new ActivityReading(stale ? ActivityState.UNKNOWN : event.state(), stale, last);
                })
                .orElseGet(() -> new ActivityReading(ActivityState.UNKNOWN, false, last));
    }
}
