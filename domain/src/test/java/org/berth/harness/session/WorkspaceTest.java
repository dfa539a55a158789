package org.berth.harness.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class WorkspaceTest {
    private static final Instant THEN = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant NOW = THEN.plusSeconds(60);

    private static Workspace preparing(String directory, String report) {
        return new Workspace(
                "w1",
                "owner",
                "host",
                "/srv",
                WorkspaceMode.ISOLATED,
                WorkspaceState.PREPARING,
                directory,
                null,
                report,
                THEN,
                THEN,
                7);
    }

    @Test
    void itHasADirectoryOnceItIsReadyAndAReportAtItsEnd() {
        Workspace ready = preparing(null, null).withDirectory("/copy", "g1", NOW);
        assertThat(ready)
                .returns(WorkspaceState.READY, Workspace::state)
                .returns("/copy", Workspace::directory)
                .returns("g1", Workspace::grantRef)
                .returns(NOW, Workspace::updatedAt)
                .returns(THEN, Workspace::createdAt)
                .returns(7L, Workspace::version);
        assertThat(ready.withHandBack("{}", NOW))
                .returns(WorkspaceState.HANDED_BACK, Workspace::state)
                .returns("{}", Workspace::handBackJson)
                .returns("/copy", Workspace::directory);
    }

    @Test
    void whatDoesNotGoWithTheStateIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> preparing("/copy", null));
        assertThatIllegalArgumentException().isThrownBy(() -> preparing(null, "{}"));
    }
}
