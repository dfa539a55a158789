package org.berth.access.security;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.berth.access.ApiToken;

/**
 * Stored tokens that were read a moment ago, by their id. What was forgotten while it was being read is not kept, so
 * that nothing older than a forgetting is ever answered after it. Safe for any thread.
 */
final class RecentTokens {
    /** How long a token is answered without a look at the store, should nobody say that it changed. An own choice. */
    static final Duration KEPT = Duration.ofSeconds(5);

    /** Tokens kept at most; the one that was added first makes room. An own choice. */
    static final int MOST = 256;

    private record Kept(ApiToken token, Instant readAt) {}

    private final Map<String, Kept> kept = new LinkedHashMap<>();
    private long forgettings;

    /** The token as kept, else as {@code read} finds it; unknown tokens are not kept. */
    Optional<ApiToken> get(String tokenId, Instant now, Function<String, Optional<ApiToken>> read) {
        long before;
        synchronized (this) {
            Kept found = kept.get(tokenId);
            if (found != null && !now.isBefore(found.readAt) && now.isBefore(found.readAt.plus(KEPT))) {
                return Optional.of(found.token);
            }
            before = forgettings;
        }
        Optional<ApiToken> token = read.apply(tokenId);
        synchronized (this) {
            if (token.isPresent() && before == forgettings) {
                kept.remove(tokenId);
                kept.put(tokenId, new Kept(token.get(), now));
                if (kept.size() > MOST) {
                    kept.remove(kept.keySet().iterator().next());
                }
            }
        }
        return token;
    }

    synchronized void forget(String tokenId) {
        forgettings++;
        kept.remove(tokenId);
    }
}
