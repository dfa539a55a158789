package org.berth.access.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.berth.access.ApiToken;
import org.berth.access.Caller;
import org.berth.access.IssuedToken;
import org.berth.access.Role;
import org.berth.access.Tokens;
import org.berth.access.store.ApiTokenRepository;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What stored tokens prove, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class TokenContractTest {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MICROS);

    @Parameter
    TestDatabase database;

    @TempDir
    Path stateRoot;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void a_token_proves_its_owner_and_roles_and_its_secret_is_not_stored() {
        IssuedToken issued = issue(Set.of(Role.OWNER), null);
        assertThat(verify(issued.text()))
                .contains(
                        new Caller("owner-1", Set.of(Role.OWNER), issued.token().tokenId()));
        String secret = issued.text().substring("berth_0123456789abcdef_".length());
        assertThat(stored(issued).toString()).doesNotContain(secret);
        assertThat(issued.toString()).doesNotContain(secret);
        Optional<ApiToken> byHash = database.reading(
                e -> new ApiTokenRepository(e).findByHash(issued.token().secretHash()));
        assertThat(byHash).contains(issued.token());
    }

    @Test
    void a_wrong_secret_an_unknown_id_and_a_malformed_text_prove_nothing() {
        IssuedToken issued = issue(Set.of(Role.OWNER), null);
        IssuedToken other = issue(Set.of(Role.OPERATOR), null);
        int secretAt = "berth_0123456789abcdef_".length();
        String mixed = issued.text().substring(0, secretAt) + other.text().substring(secretAt);
        for (String text : List.of(
                mixed,
                "berth_0000000000000000_" + issued.text().substring(secretAt),
                issued.text() + "x",
                issued.text().toUpperCase(java.util.Locale.ROOT),
                "",
                "berth_")) {
            assertThat(verify(text)).as(text).isEmpty();
        }
    }

    @Test
    void a_revoked_and_an_expired_token_prove_nothing() {
        IssuedToken revoked = issue(Set.of(Role.OWNER), null);
        assertThat((boolean)
                        inTransaction(tokens -> tokens.revoke(revoked.token().tokenId(), NOW)))
                .isEqualTo(Boolean.TRUE);
        assertThat((boolean)
                        inTransaction(tokens -> tokens.revoke(revoked.token().tokenId(), NOW)))
                .isEqualTo(Boolean.FALSE);
        assertThat(verify(revoked.text())).isEmpty();
        boolean holds = database.reading(e -> new TokenVerifier(new ApiTokenRepository(e))
                .holds(revoked.token().tokenId(), NOW));
        assertThat(holds).isFalse();

        IssuedToken expired = issue(Set.of(Role.OWNER), NOW);
        assertThat(verify(expired.text())).isEmpty();
        IssuedToken lasting = issue(Set.of(Role.OWNER), NOW.plusSeconds(1));
        assertThat(verify(lasting.text())).isPresent();
    }

    @Test
    void tokens_are_listed_newest_first_by_owner() {
        IssuedToken one = issue(Set.of(Role.OWNER), null);
        List<ApiToken> mine = database.reading(e -> new ApiTokenRepository(e).list("owner-1"));
        List<ApiToken> others = database.reading(e -> new ApiTokenRepository(e).list("owner-2"));
        List<ApiToken> all = database.reading(e -> new ApiTokenRepository(e).list(null));
        assertThat(mine).containsExactly(one.token());
        assertThat(others).isEmpty();
        assertThat(all).containsExactly(one.token());
    }

    @Test
    void the_first_start_writes_a_private_token_that_holds_and_later_starts_keep_it() throws Exception {
        assertThat(ensure()).isTrue();
        Path file = stateRoot.resolve(OwnerTokenFile.NAME);
        String text = Files.readString(file).strip();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(verify(text).orElseThrow().ownerId()).isEqualTo("owner");
        assertThat(verify(text).orElseThrow().roles()).containsExactlyInAnyOrder(Role.OPERATOR, Role.OWNER);

        assertThat(ensure()).isFalse();
        assertThat(Files.readString(file).strip()).isEqualTo(text);
        try (var files = Files.list(stateRoot)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void a_rolled_back_first_start_is_repaired_by_the_next() throws Exception {
        assertThatThrownBy(() -> inTransaction(tokens -> {
                    OwnerTokenFile.ensure(stateRoot, tokens);
                    throw new IllegalStateException("roll back");
                }))
                .hasMessage("roll back");
        Path file = stateRoot.resolve(OwnerTokenFile.NAME);
        assertThat(verify(Files.readString(file).strip())).isEmpty();
        assertThat(ensure()).isTrue();
        assertThat(verify(Files.readString(file).strip())).isPresent();
    }

    @Test
    void without_a_place_for_the_file_no_token_is_issued() {
        assertThatThrownBy(() -> inTransaction(tokens -> OwnerTokenFile.ensure(stateRoot.resolve("none"), tokens)))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("owner.token");
        List<ApiToken> all = database.reading(e -> new ApiTokenRepository(e).list(null));
        assertThat(all).isEmpty();
    }

    private boolean ensure() {
        return inTransaction(tokens -> OwnerTokenFile.ensure(stateRoot, tokens));
    }

    private IssuedToken issue(Set<Role> roles, Instant expiresAt) {
        IssuedToken issued = Tokens.issue(new SecureRandom(), "owner-1", roles, "test", NOW, expiresAt);
        inTransaction(tokens -> tokens.insert(issued.token()));
        return issued;
    }

    private ApiToken stored(IssuedToken issued) {
        Optional<ApiToken> found = database.reading(
                e -> new ApiTokenRepository(e).find(issued.token().tokenId()));
        assertThat(found).contains(issued.token());
        return found.orElseThrow();
    }

    private Optional<Caller> verify(String text) {
        return database.reading(e -> new TokenVerifier(new ApiTokenRepository(e)).verify(text, NOW));
    }

    private <T> T inTransaction(Function<ApiTokenRepository, T> work) {
        return database.inTransaction(entities -> work.apply(new ApiTokenRepository(entities)));
    }
}
