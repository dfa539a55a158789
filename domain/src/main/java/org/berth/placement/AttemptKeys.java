package org.berth.placement;

import java.nio.charset.StandardCharsets;

/**
 * Derived directory keys: 32 lower-case hex digits (half of a sha256), so that no raw id ever names a directory. Equal
 * ids give equal keys; an attempt's and a session's key never meet, as each hash begins with its own word.
 */
public final class AttemptKeys {
    private static final int DIGITS = 32;

    private AttemptKeys() {}

    /** The key of an attempt's home, output and marker. */
    public static String attempt(String ownerId, String attemptId) {
        return key("attempt", ownerId, attemptId);
    }

    /** The key of the home that an owner's launches with one session_ref share. */
    public static String session(String ownerId, String sessionRef) {
        return key("session", ownerId, sessionRef);
    }

    /** Whether {@code text} has a key's form. */
    public static boolean isKey(String text) {
        return text.length() == DIGITS && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    // No id holds a NUL, so the parts cannot run into each other.
    private static String key(String kind, String ownerId, String id) {
        String joined = kind + '\0' + ownerId + '\0' + id;
        return CanonicalJson.sha256(joined.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS);
    }
}
