package org.berth.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.placement.CanonicalJson;

/**
 * Makes and checks bearer tokens. Their text is {@code berth_ID_SECRET}: the id, 16 hex digits, finds the row; the
 * secret, 32 random bytes in base64url, is compared by its sha256. So much randomness needs no slow hash.
 */
public final class Tokens {
    private static final int ID_BYTES = 8;
    /** 256 bits: as hard to guess as its hash is to invert. */
    private static final int SECRET_BYTES = 32;

    private static final Pattern TEXT = Pattern.compile("berth_([0-9a-f]{16})_([A-Za-z0-9_-]{43})");

    private Tokens() {}

    /** A token as a caller presented it, well formed and not yet proven. */
    public static final class Presented {
        private final String tokenId;
        private final String secretHash;

        private Presented(String tokenId, String secretHash) {
            this.tokenId = tokenId;
            this.secretHash = secretHash;
        }

        public String tokenId() {
            return tokenId;
        }

        /** Whether its secret is the one of {@code token}; takes the same time wherever they differ. */
        public boolean proves(ApiToken token) {
            return MessageDigest.isEqual(
                    secretHash.getBytes(StandardCharsets.US_ASCII),
                    token.secretHash().getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** A new token; {@code expiresAt} is null for never. Store its {@link IssuedToken#token()}, then show its text. */
    public static IssuedToken issue(
            SecureRandom random, String ownerId, Set<Role> roles, String name, Instant now, Instant expiresAt) {
        return issue(random, ownerId, roles, null, name, now, expiresAt);
    }

    /** As above, for the one {@code seat} that a token of role SEAT names; null for others. */
    public static IssuedToken issue(
            SecureRandom random,
            String ownerId,
            Set<Role> roles,
            String seat,
            String name,
            Instant now,
            Instant expiresAt) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        byte[] secretBytes = new byte[SECRET_BYTES];
        random.nextBytes(secretBytes);
        String tokenId = HexFormat.of().formatHex(id);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(secretBytes);
        ApiToken token = new ApiToken(tokenId, hash(secret), ownerId, roles, name, now, expiresAt, null, seat);
        return new IssuedToken(token, "berth_" + tokenId + "_" + secret);
    }

    /** Empty when {@code text} has not the form of a token. */
    public static Optional<Presented> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Presented(matcher.group(1), hash(matcher.group(2))))
                : Optional.empty();
    }

    private static String hash(String secret) {
        return CanonicalJson.sha256(secret.getBytes(StandardCharsets.US_ASCII));
    }
}
