package org.berth.access.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import org.berth.access.security.TokenVerifier;

/** Lets a revocation hold for the very next request. */
@ApplicationScoped
public class RevokedTokens {
    @Inject
    private TokenVerifier verifier;

    /** After the commit, so that no request can read the token as it was and keep it. */
    void revoked(@Observes(during = TransactionPhase.AFTER_COMPLETION) TokenRevoked revoked) {
        verifier.forget(revoked.tokenId());
    }
}
