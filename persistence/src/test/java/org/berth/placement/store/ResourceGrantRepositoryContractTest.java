package org.berth.placement.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.PersistenceException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.persistence.TestDatabase;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of grants and hosts promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ResourceGrantRepositoryContractTest {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MICROS);

    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void a_grant_is_read_back_whole() {
        ResourceGrant grant = grant("g1", "owner-1", NOW, NOW.plusSeconds(60));
        assertThat(insert(grant)).isEqualTo(grant);
        assertThat(find("g1")).contains(grant);
        assertThat(find("g2")).isEmpty();
    }

    @Test
    void a_taken_id_is_refused_and_the_first_grant_stays() {
        ResourceGrant first = insert(grant("g1", "owner-1", NOW, null));
        assertThatThrownBy(() -> insert(grant("g1", "owner-2", NOW, null))).isInstanceOf(PersistenceException.class);
        assertThat(find("g1")).contains(first);
    }

    @Test
    void a_list_is_newest_first_and_leaves_ended_grants_out_unless_asked() {
        insert(grant("old", "owner-1", NOW.minusSeconds(9), null));
        insert(grant("new", "owner-1", NOW, NOW.plusSeconds(3600)));
        insert(grant("expired", "owner-1", NOW.minusSeconds(5), NOW.minusSeconds(1)));
        insert(grant("revoked", "owner-1", NOW.minusSeconds(6), null));
        insert(grant("other", "owner-2", NOW.minusSeconds(7), null));
        revoke("revoked");

        assertThat(list("owner-1", false)).containsExactly("new", "old");
        assertThat(list("owner-1", true)).containsExactly("new", "expired", "revoked", "old");
        assertThat(list(null, false)).containsExactly("new", "other", "old");
    }

    @Test
    void a_grant_is_revoked_once() {
        insert(grant("g1", "owner-1", NOW, null));
        assertThat(revoke("g1")).isTrue();
        assertThat(revoke("g1")).isFalse();
        assertThat(revoke("none")).isFalse();
        assertThat(find("g1").orElseThrow().holds(NOW)).isFalse();
    }

    @Test
    void a_node_keeps_its_host_id() {
        database.inTransaction(entities -> {
            new HostRepository(entities).insert("host-1", "instance-1", NOW);
            return null;
        });
        Optional<String> found = database.reading(entities -> new HostRepository(entities).hostIdOf("instance-1"));
        Optional<String> other = database.reading(entities -> new HostRepository(entities).hostIdOf("instance-2"));
        assertThat(found).contains("host-1");
        assertThat(other).isEmpty();
        assertThatThrownBy(() -> database.inTransaction(entities -> {
                    new HostRepository(entities).insert("host-2", "instance-1", NOW);
                    return null;
                }))
                .isInstanceOf(PersistenceException.class);
    }

    private static ResourceGrant grant(String ref, String subject, Instant issuedAt, Instant expiresAt) {
        return new ResourceGrant(
                ref,
                subject,
                "/srv/work",
                "",
                ResourceAccess.WRITE,
                ResourcePurpose.PROJECT,
                null,
                "operator-1",
                issuedAt,
                expiresAt,
                null);
    }

    private ResourceGrant insert(ResourceGrant grant) {
        return inTransaction(store -> store.insert(grant));
    }

    private boolean revoke(String ref) {
        return inTransaction(store -> store.revoke(ref, NOW));
    }

    private Optional<ResourceGrant> find(String ref) {
        return database.reading(entities -> new ResourceGrantRepository(entities).find(ref));
    }

    private List<String> list(String owner, boolean includeEnded) {
        List<ResourceGrant> grants =
                database.reading(entities -> new ResourceGrantRepository(entities).list(owner, includeEnded));
        return grants.stream().map(ResourceGrant::grantRef).toList();
    }

    private <T> T inTransaction(Function<ResourceGrantRepository, T> work) {
        return database.inTransaction(entities -> work.apply(new ResourceGrantRepository(entities)));
    }
}
