package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.host.KernelTransportSetting;
import org.berth.host.KernelTransportSetting.SharedDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportMountsTest {
    @TempDir
    private Path scratch;

    private Path state;
    private Path project;
    private Path copy;
    private TransportMounts mounts;

    @BeforeEach
    void directories() throws IOException {
        state = Files.createDirectory(scratch.toRealPath().resolve("state"));
        project = Files.createDirectory(scratch.toRealPath().resolve("project"));
        copy = Files.createDirectories(state.resolve("workspaces/parent/child/copy/src"))
                .getParent();
        mounts = TransportMounts.in(state);
    }

    private static KernelTransportSetting sharing(SharedDirectory... shared) {
        return new KernelTransportSetting(
                List.of("wrap"), "python3", KernelTransportSetting.Form.ARGV, List.of(shared), List.of());
    }

    private SharedDirectory project() {
        return new SharedDirectory("/work", project.toString());
    }

    private SharedDirectory copies(String sandbox) {
        return new SharedDirectory(sandbox, state + "/workspaces");
    }

    @Test
    void theEntryOfAllWorkspacesStandsForTheSessionsOwnCopy() {
        SharedDirectory own = new SharedDirectory("/copies/parent/child/copy", copy.toString());
        assertThat(mounts.of(sharing(project(), copies("/copies")), copy)).containsExactly(project(), own);
        assertThat(mounts.of(sharing(project(), copies("/copies")), copy.resolve("src")))
                .containsExactly(project(), own);
    }

    @Test
    void theRootOfTheSandboxIsAPlaceToo() {
        assertThat(mounts.of(sharing(copies("/")), copy))
                .containsExactly(new SharedDirectory("/parent/child/copy", copy.toString()));
    }

    @Test
    void aSessionInNoCopySharesNoneOfTheWorkspaces() {
        for (Path cwd : List.of(project, state, state.resolve("workspaces"), copy.getParent(), scratch)) {
            assertThat(mounts.of(sharing(copies("/copies"), project()), cwd))
                    .as(cwd.toString())
                    .containsExactly(project());
        }
    }

    @Test
    void aCopyThatWasHandedBackIsItsParentsDirectory() throws IOException {
        Files.delete(copy.resolve("src"));
        Files.delete(copy);
        Files.createSymbolicLink(copy, project);
        assertThat(mounts.of(sharing(project(), copies("/copies")), copy)).containsExactly(project());
    }

    @Test
    void onlyTheDirectoryOfAllWorkspacesCoversACopy() throws IOException {
        assertThat(mounts.coverCopies(sharing(project(), copies("/copies")))).isTrue();
        assertThat(mounts.coverCopies(sharing(project()))).isFalse();
        assertThat(mounts.coverCopies(sharing(new SharedDirectory("/state", state.toString()))))
                .isFalse();
        Path link = Files.createSymbolicLink(scratch.resolve("link"), state.resolve("workspaces"));
        assertThat(mounts.coverCopies(sharing(new SharedDirectory("/copies", link.toString()))))
                .isTrue();
    }
}
