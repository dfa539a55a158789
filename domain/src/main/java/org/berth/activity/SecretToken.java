package org.berth.activity;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import org.berth.placement.CanonicalJson;

/**
 * A bearer secret that is shown once: a prefix that tells its kind, and 32 random bytes in base64url. So much randomness
 * needs no slow hash.
 */
public final class SecretToken {
    /** Of an activity grant. */
    public static final String ACTIVITY = "berth-activity-";

    /** Of a work grant. */
    public static final String WORK = "berth-work-";

    /** Of the host's own hooks, for every seat. */
    public static final String INSTALL = "berth-hook-";

    private static final int SECRET_BYTES = 32;
    private static final Pattern TEXT = Pattern.compile("berth-(?:activity|work|hook)-[A-Za-z0-9_-]{43}");

    private SecretToken() {}

    /** @param prefix one of this class's */
    public static String issue(SecureRandom random, String prefix) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** Whether {@code text} has the form of a token; what has not is not worth a look-up. */
    public static boolean wellFormed(String text) {
        return TEXT.matcher(text).matches();
    }

    /** sha256 of the whole text, 64 lower-case hex digits: what is stored and looked up. */
    public static String hash(String text) {
        return CanonicalJson.sha256(text.getBytes(StandardCharsets.UTF_8));
    }
}
