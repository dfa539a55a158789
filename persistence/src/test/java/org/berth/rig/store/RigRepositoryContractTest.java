package org.berth.rig.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.persistence.PersistenceException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.persistence.TestDatabase;
import org.berth.rig.GenerationState;
import org.berth.rig.Member;
import org.berth.rig.Occupant;
import org.berth.rig.Rig;
import org.berth.rig.RigNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rigs, nodes and occupants, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class RigRepositoryContractTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");

    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void aRigComesBackWithItsMembersInOrder() {
        Rig rig = insert("b");
        insert("a");
        assertThat(this.<Optional<Rig>>rigs(rigs -> rigs.find("rig-b"))).contains(rig);
        assertThat(this.<Optional<Rig>>rigs(rigs -> rigs.findByName("b"))).contains(rig);
        assertThat(this.<List<Member>>rigs(rigs -> rigs.members("rig-b")))
                .containsExactly(member("b", "one"), member("b", "two"));
        assertThat(this.<Optional<Member>>rigs(rigs -> rigs.seat("crew-two@b"))).contains(member("b", "two"));
        assertThat(this.<Optional<Member>>rigs(rigs -> rigs.node("b-one"))).contains(member("b", "one"));
        List<Rig> all = rigs(rigs -> rigs.page(null, 10));
        assertThat(all).extracting(Rig::name).containsExactly("a", "b");
        List<Rig> rest = rigs(rigs -> rigs.page("a", 10));
        assertThat(rest).extracting(Rig::name).containsExactly("b");
    }

    @Test
    void aNameIsTakenOnce() {
        insert("a");
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> database.inTransaction(e -> {
                    new RigRepository(e).insert(rig("other", "a"), List.of());
                    return null;
                }));
    }

    @Test
    void reservingMakesNothingStaleAndRegisteringMakesEveryOtherStale() {
        insert("a");
        assertThat(reserve("first")).isTrue();
        assertThat(reserve("first")).isFalse();
        assertThat(register("first")).isTrue();
        reserve("second");
        reserve("third");
        assertThat(state("first")).isEqualTo(GenerationState.CURRENT);
        assertThat(register("second")).isTrue();
        assertThat(register("second")).isFalse();
        assertThat(register("first")).isFalse();
        assertThat(state("first")).isEqualTo(GenerationState.STALE);
        assertThat(state("second")).isEqualTo(GenerationState.CURRENT);
        assertThat(state("third")).isEqualTo(GenerationState.STALE);
        Optional<Occupant> current = occupants(occupants -> occupants.current("a-one"));
        assertThat(current).map(Occupant::generation).contains("second");
        Optional<Occupant> other = occupants(occupants -> occupants.current("a-two"));
        assertThat(other).isEmpty();
        List<Occupant> newest = occupants(occupants -> occupants.newest("a-one", 2));
        assertThat(newest).hasSize(2);
    }

    @Test
    void whatRunsAGenerationIsRecordedWithIt() {
        insert("a");
        reserve("first");
        database.inTransaction(e -> {
            new OccupantRepository(e).identify("a-one", "first", "session", null, "native");
            new OccupantRepository(e).identify("a-one", "first", null, "type", null);
            return null;
        });
        Optional<Occupant> found = occupants(occupants -> occupants.find("a-one", "first"));
        assertThat(found.orElseThrow())
                .extracting(Occupant::sessionId, Occupant::nativeType, Occupant::nativeId)
                .containsExactly("session", "type", "native");
    }

    @Test
    void aRigGoesWithItsNodesAndOccupants() {
        insert("a");
        reserve("first");
        boolean deleted = database.inTransaction(e -> new RigRepository(e).delete("rig-a"));
        assertThat(deleted).isTrue();
        assertThat(this.<Optional<Member>>rigs(rigs -> rigs.node("a-one"))).isEmpty();
        Optional<Occupant> left = occupants(occupants -> occupants.find("a-one", "first"));
        assertThat(left).isEmpty();
        boolean again = database.inTransaction(e -> new RigRepository(e).delete("rig-a"));
        assertThat(again).isFalse();
    }

    private boolean reserve(String generation) {
        return database.inTransaction(e -> new OccupantRepository(e).reserve("a-one", generation, NOW));
    }

    private boolean register(String generation) {
        return database.inTransaction(e -> {
            assertThat(new RigRepository(e).lockNode("a-one")).isTrue();
            return new OccupantRepository(e).register("a-one", generation, NOW);
        });
    }

    private GenerationState state(String generation) {
        Optional<Occupant> found = occupants(occupants -> occupants.find("a-one", generation));
        return found.orElseThrow().state();
    }

    private Rig insert(String name) {
        Rig rig = rig("rig-" + name, name);
        database.inTransaction(e -> {
            new RigRepository(e).insert(rig, List.of(member(name, "one"), member(name, "two")));
            return null;
        });
        return rig;
    }

    private static Rig rig(String id, String name) {
        return new Rig(id, name, "/srv/" + name, "{}", "0".repeat(64), "owner", NOW);
    }

    private static Member member(String rig, String id) {
        RigNode node = new RigNode(
                rig + "-" + id, "rig-" + rig, rig, "crew." + id, "crew-" + id + "@" + rig, "command", "/srv/" + rig);
        return new Member(node, "local:agents/" + id, "default");
    }

    private <T> T rigs(Function<RigRepository, T> work) {
        return database.reading(e -> work.apply(new RigRepository(e)));
    }

    private <T> T occupants(Function<OccupantRepository, T> work) {
        return database.reading(e -> work.apply(new OccupantRepository(e)));
    }
}
