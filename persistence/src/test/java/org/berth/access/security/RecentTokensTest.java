package org.berth.access.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.berth.access.ApiToken;
import org.berth.access.Role;
import org.junit.jupiter.api.Test;

class RecentTokensTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final RecentTokens recent = new RecentTokens();
    private int reads;

    @Test
    void a_token_is_read_once_while_it_is_recent() {
        get("a", NOW);
        assertThat(get("a", NOW.plus(RecentTokens.KEPT).minusMillis(1))).contains(token("a", null));
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void it_is_read_again_once_it_is_old_and_when_the_clock_went_back() {
        get("a", NOW);
        get("a", NOW.plus(RecentTokens.KEPT));
        get("a", NOW.minusSeconds(60));
        assertThat(reads).isEqualTo(3);
    }

    @Test
    void a_forgotten_token_is_read_again_at_once() {
        get("a", NOW);
        recent.forget("a");
        get("a", NOW);
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void what_was_forgotten_while_it_was_being_read_is_not_kept() {
        recent.get("a", NOW, id -> {
            Optional<ApiToken> valid = Optional.of(token(id, null));
            recent.forget(id);
            return valid;
        });
        ApiToken revoked = token("a", NOW);
        assertThat(recent.get("a", NOW, id -> Optional.of(revoked))).contains(revoked);
    }

    @Test
    void an_unknown_token_is_looked_for_each_time() {
        Function<String, Optional<ApiToken>> none = id -> {
            reads++;
            return Optional.empty();
        };
        assertThat(recent.get("a", NOW, none)).isEmpty();
        assertThat(recent.get("a", NOW, none)).isEmpty();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void more_than_the_bound_pushes_the_first_one_out() {
        for (int i = 0; i <= RecentTokens.MOST; i++) {
            get("token" + i, NOW);
        }
        get("token1", NOW);
        assertThat(reads).isEqualTo(RecentTokens.MOST + 1);
        get("token0", NOW);
        assertThat(reads).isEqualTo(RecentTokens.MOST + 2);
    }

    private Optional<ApiToken> get(String id, Instant now) {
        return recent.get(id, now, wanted -> {
            reads++;
            return Optional.of(token(wanted, null));
        });
    }

    private static ApiToken token(String id, Instant revokedAt) {
        return new ApiToken(id, "0".repeat(64), "owner-1", Set.of(Role.OWNER), "test", NOW, null, revokedAt, null);
    }
}
