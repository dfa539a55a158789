package org.berth.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.berth.harness.store.Sessions.NOW;

import jakarta.persistence.PersistenceException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.berth.harness.session.Workspace;
import org.berth.harness.session.WorkspaceMode;
import org.berth.harness.session.WorkspaceState;
import org.berth.persistence.TestDatabase;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of workspaces promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class WorkspaceRepositoryContractTest {
    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    private static Workspace aWorkspace(String id) {
        return new Workspace(
                id,
                "owner-1",
                "host-1",
                "/srv/work/\u00e4",
                WorkspaceMode.ISOLATED,
                WorkspaceState.PREPARING,
                null,
                null,
                null,
                NOW,
                NOW,
                0);
    }

    private Workspace insert(Workspace workspace) {
        return database.inTransaction(entities -> new WorkspaceRepository(entities).insert(workspace));
    }

    private Workspace update(String id, UnaryOperator<Workspace> change) {
        return database.inTransaction(entities -> new WorkspaceRepository(entities).update(id, change));
    }

    private Optional<Workspace> find(String id) {
        return database.inTransaction(entities -> new WorkspaceRepository(entities).find(id));
    }

    @Test
    void a_workspace_is_read_back_whole_in_every_state() {
        Workspace given = aWorkspace("w1");
        assertThat(insert(given)).isEqualTo(given);
        assertThat(find("w1")).contains(given);
        assertThat(find("w2")).isEmpty();

        Workspace ready = update("w1", each -> each.withDirectory("/state/copy", "grant-1", NOW.plusSeconds(1)));
        assertThat(ready)
                .returns(WorkspaceState.READY, Workspace::state)
                .returns("/state/copy", Workspace::directory)
                .returns("grant-1", Workspace::grantRef)
                .returns(1L, Workspace::version);
        Workspace home = update("w1", each -> each.withHandBack(Sessions.LARGE, NOW.plusSeconds(2)));
        assertThat(home.handBackJson()).isEqualTo(Sessions.LARGE);
        assertThat(find("w1")).contains(home);
    }

    @Test
    void an_id_is_taken_once() {
        insert(aWorkspace("w1"));
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> insert(aWorkspace("w1")))
                .satisfies(failure -> assertThat(StoreFailures.taken(failure)).isTrue());
    }

    @Test
    void one_that_is_not_there_is_not_changed() {
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> update("w1", each -> each))
                .satisfies(failure -> assertThat(failure.code()).isEqualTo(ProblemCode.NOT_FOUND));
    }

    @Test
    void one_that_came_to_nothing_is_forgotten_alone() {
        insert(aWorkspace("w1"));
        insert(aWorkspace("w2"));
        for (int i = 0; i < 2; i++) {
            database.inTransaction(entities -> {
                new WorkspaceRepository(entities).remove("w1");
                return null;
            });
        }
        assertThat(find("w1")).isEmpty();
        assertThat(find("w2")).isPresent();
    }
}
