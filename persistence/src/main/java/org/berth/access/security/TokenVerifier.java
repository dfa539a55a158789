package org.berth.access.security;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Optional;
import org.berth.access.ApiToken;
import org.berth.access.Caller;
import org.berth.access.Tokens;
import org.berth.access.store.ApiTokenRepository;

/** Checks presented tokens against the stored ones, which it remembers for a moment. Needs no transaction. */
@ApplicationScoped
public class TokenVerifier {
    private final ApiTokenRepository tokens;
    private final RecentTokens recent = new RecentTokens();

    /** For the container's proxy. */
    protected TokenVerifier() {
        this(null);
    }

    @Inject
    public TokenVerifier(ApiTokenRepository tokens) {
        this.tokens = tokens;
    }

    /** Empty for a malformed, unknown, revoked or expired token; it does not say which. */
    public Optional<Caller> verify(String text, Instant now) {
        return Tokens.parse(text)
                .flatMap(presented -> recent.get(presented.tokenId(), now, tokens::find)
                        .filter(presented::proves)
                        .filter(token -> token.holds(now))
                        .map(ApiToken::caller));
    }

    /** Whether what the token opened may stay open. */
    public boolean holds(String tokenId, Instant now) {
        return tokens.find(tokenId).filter(token -> token.holds(now)).isPresent();
    }

    /** A stored token was changed: the next check reads it again. Call it once the change is committed. */
    public void forget(String tokenId) {
        recent.forget(tokenId);
    }
}
