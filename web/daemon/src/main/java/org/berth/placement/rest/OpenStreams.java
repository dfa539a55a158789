package org.berth.placement.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.access.service.TokenRevoked;
import org.berth.access.service.TokenService;
import org.berth.placement.rest.StreamEndpoint.Connected;

/** The sockets that are open, so that a token that no longer holds ends those it opened. */
@ApplicationScoped
public class OpenStreams {
    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);

    @Inject
    private TokenService tokens;

    @Inject
    private Clock clock;

    private final Map<Connected, Instant> checked = new ConcurrentHashMap<>();

    void add(Connected connected) {
        checked.put(connected, clock.instant());
    }

    void remove(Connected connected) {
        checked.remove(connected);
    }

    /** Closes the connection when its token has expired or was revoked; looks at most once a second. */
    void requireToken(Connected connected) {
        Instant now = clock.instant();
        Instant last = checked.get(connected);
        if (last == null || Duration.between(last, now).compareTo(CHECK_EVERY) < 0) {
            return;
        }
        checked.put(connected, now);
        if (!tokens.holds(connected.caller().tokenId())) {
            end(connected);
        }
    }

    void revoked(@Observes TokenRevoked revoked) {
        checked.keySet().stream()
                .filter(connected -> connected.caller().tokenId().equals(revoked.tokenId()))
                .forEach(OpenStreams::end);
    }

    private static void end(Connected connected) {
        connected.connection().close(StreamConnection.CLOSE_UNAUTHENTICATED, "the token no longer holds");
    }
}
