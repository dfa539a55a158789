package org.berth.access.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.berth.access.ApiToken;
import org.berth.access.Caller;
import org.berth.access.IssuedToken;
import org.berth.access.Role;
import org.berth.access.Tokens;
import org.berth.access.store.ApiTokenRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** API tokens: an operator issues them; everybody sees and revokes his own. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class TokenService {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Inject
    private ApiTokenRepository tokens;

    @Inject
    private Clock clock;

    @Inject
    private Event<TokenRevoked> revocations;

    /** {@code lifetime} is null for a token without an end. @throws BerthException FORBIDDEN */
    public IssuedToken issue(Caller caller, String ownerId, Set<Role> roles, String name, Duration lifetime) {
        return issue(caller, ownerId, roles, null, name, lifetime);
    }

    /**
     * As above, with the {@code seat} of a token of role SEAT; null for other roles.
     *
     * @throws BerthException FORBIDDEN, INVALID when role and seat do not go together
     */
    public IssuedToken issue(
            Caller caller, String ownerId, Set<Role> roles, String seat, String name, Duration lifetime) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator issues tokens");
        }
        if (roles.contains(Role.SEAT) != (seat != null) || seat != null && roles.size() > 1) {
            throw BerthException.invalid("a seat's token has the role seat alone and names its seat");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        IssuedToken issued =
                Tokens.issue(RANDOM, ownerId, roles, seat, name, now, lifetime == null ? null : now.plus(lifetime));
        tokens.insert(issued.token());
        return issued;
    }

    /** An operator sees all. */
    public List<ApiToken> list(Caller caller) {
        return tokens.list(caller.isOperator() ? null : caller.ownerId());
    }

    /** Effective on the next request. @throws BerthException NOT_FOUND */
    public ApiToken revoke(Caller caller, String tokenId) {
        ApiToken token = tokens.find(tokenId)
                .filter(found -> caller.mayActFor(found.ownerId()))
                .orElseThrow(() -> BerthException.notFound("there is no such token of yours"));
        tokens.revoke(tokenId, clock.instant().truncatedTo(ChronoUnit.MICROS));
        revocations.fire(new TokenRevoked(tokenId));
        return tokens.find(tokenId).orElse(token);
    }

    /** Whether the token that opened a long-lived connection still holds. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public boolean holds(String tokenId) {
        return tokens.find(tokenId)
                .filter(token -> token.holds(clock.instant()))
                .isPresent();
    }
}
