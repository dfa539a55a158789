package org.berth.activity;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;

/**
 * What a hook says, from either body: the relay's {@code {runtime, hookEvent, …}} or the agent's own {@code
 * {hook_event_name, session_id, …}}. Everything but {@code runtime} and {@code hookEvent} may be null.
 *
 * @param occurredAt when the poster says it happened
 * @param sessionName the seat it claims
 */
public record HookPost(
        String runtime,
        String hookEvent,
        String subtype,
        Instant occurredAt,
        String sessionName,
        String nodeId,
        String generation,
        String nativeSession) {
    /** The runtime whose hooks send their own JSON. Source: facts on the agent programs, hooks. */
    public static final String OWN_JSON_RUNTIME = "claude-code";

    private static final int MAX_TEXT = 160;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.:-]{0,63}");

    /** Ignores members that it does not know. @throws BerthException INVALID, naming the member */
    public static HookPost of(Map<String, Object> body) {
        if (body.containsKey("hook_event_name")) {
            return new HookPost(
                    OWN_JSON_RUNTIME,
                    name(body, "hook_event_name"),
                    text(body, "notification_type"),
                    null,
                    null,
                    null,
                    null,
                    text(body, "session_id"));
        }
        return new HookPost(
                name(body, "runtime"),
                name(body, "hookEvent"),
                text(body, "subtype"),
                instant(text(body, "occurredAt")),
                text(body, "sessionName"),
                text(body, "nodeId"),
                text(body, "generation"),
                null);
    }

    private static String name(Map<String, Object> body, String member) {
        String value = text(body, member);
        if (value == null || !NAME.matcher(value).matches()) {
            throw BerthException.invalid(member + " must be a name of at most 64 characters that begins with a letter");
        }
        return value;
    }

    private static String text(Map<String, Object> body, String member) {
        Object value = body.get(member);
        if (value == null) {
            return null;
        }
        if (value instanceof String text && !text.isEmpty() && text.length() <= MAX_TEXT && plain(text)) {
            return text;
        }
        throw BerthException.invalid(member + " must be a string of 1 to " + MAX_TEXT + " printable characters");
    }

    private static boolean plain(String text) {
        return text.chars().noneMatch(Character::isISOControl);
    }

    private static Instant instant(String text) {
        if (text == null) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw BerthException.invalid("occurredAt must be a time such as 2026-01-31T12:00:00Z");
        }
    }
}
