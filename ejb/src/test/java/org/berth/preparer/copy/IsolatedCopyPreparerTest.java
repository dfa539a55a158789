package org.berth.preparer.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.files.PrivateFiles;
import org.berth.harness.workspace.IsolatedWorkspace;
import org.berth.harness.workspace.Progress;
import org.berth.placement.AttemptKeys;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.preparer.WorkdirPreparer.Context;
import org.berth.preparer.WorkdirPreparer.Setup;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A launch's copy of its directory, and what comes home of it. */
class IsolatedCopyPreparerTest {
    private static final String KEY = AttemptKeys.attempt("owner", "attempt");

    @TempDir
    private Path temporary;

    private Path source;
    private Path state;
    private IsolatedWorkspace workspaces;
    private IsolatedCopyPreparer preparer;
    private Map<String, Object> plan;

    @BeforeEach
    void make() throws IOException {
        Path real = temporary.toRealPath();
        source = Files.createDirectories(real.resolve("work/project"));
        state = PrivateFiles.directory(real.resolve("state"));
        Files.writeString(source.resolve("a.txt"), "one\n");
        Files.writeString(source.resolve("b.txt"), "two\n");
        Files.writeString(source.resolve(".gitignore"), "target/\n");
        Files.createDirectory(source.resolve("target"));
        workspaces = TestCopies.workspaces(state);
        preparer = TestCopies.preparer(state);
        plan = preparer.plan(context(true)).state();
    }

    private Context context(boolean grantsHold) {
        return context(grantsHold, source.getParent());
    }

    private Context context(boolean grantsHold, Path writeRoot) {
        return new Context(
                "attempt", KEY, "owner", source, List.of(), List.of(writeRoot), Map.of("isolated", true), grantsHold);
    }

    private Path copy() {
        return state.resolve("workspaces/launches").resolve(KEY).resolve("copy");
    }

    private Cleanup cleanUp(boolean grantsHold) {
        return preparer.cleanup(context(grantsHold), plan);
    }

    @Test
    void nothing_is_asked_nothing_is_planned_and_another_form_is_refused() {
        Context nothing = new Context("a", KEY, "o", source, List.of(), List.of(source), Map.of(), true);
        assertThat(preparer.plan(nothing)).isNull();
        preparer.admit(Map.of("isolated", false));
        assertThatThrownBy(() -> preparer.admit(Map.of("isolated", "yes")))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.INVALID));
    }

    @Test
    void a_directory_without_a_write_grant_is_refused() {
        assertThatThrownBy(() -> preparer.plan(context(true, temporary.resolve("other"))))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.DENIED));
    }

    @Test
    void the_copy_is_a_derived_root_and_holds_what_is_not_ignored() {
        Setup setup = preparer.setup(context(true), plan);
        assertThat(setup.workingDirectory()).isEqualTo(copy());
        assertThat(setup.derivedRoots()).containsExactly(copy());
        assertThat(copy().resolve("a.txt")).hasContent("one");
        assertThat(copy().resolve("target")).doesNotExist();
        assertThat(preparer.setup(context(true), plan)).isEqualTo(setup);
    }

    @Test
    void changes_come_home_and_nothing_is_left() throws IOException {
        preparer.setup(context(true), plan);
        Files.writeString(copy().resolve("a.txt"), "launch's\n");
        Files.delete(copy().resolve("b.txt"));
        Files.writeString(copy().resolve("new.txt"), "new\n");

        Cleanup cleanup = cleanUp(true);
        assertThat(cleanup.retained()).isNull();
        assertThat(cleanup.detail())
                .containsEntry("taken", 2)
                .containsEntry("removed", 1)
                .containsEntry("conflicts", 0);
        assertThat(source.resolve("a.txt")).hasContent("launch's");
        assertThat(source.resolve("b.txt")).doesNotExist();
        assertThat(source.resolve("new.txt")).hasContent("new");
        assertThat(copy().getParent()).doesNotExist();
        assertThat(cleanUp(true).retained()).isNull();
    }

    @Test
    void a_conflict_keeps_both_versions_and_is_reported_with_its_counts() throws IOException {
        preparer.setup(context(true), plan);
        Files.writeString(copy().resolve("a.txt"), "launch's\n");
        Files.writeString(copy().resolve("b.txt"), "launch's too\n");
        Files.writeString(source.resolve("a.txt"), "somebody's\n");

        for (int i = 0; i < 2; i++) {
            Cleanup cleanup = cleanUp(true);
            assertThat(cleanup.retained()).startsWith("1 paths changed on both sides");
            assertThat(cleanup.detail())
                    .containsEntry("taken", 1)
                    .containsEntry("conflicts", 1)
                    .containsEntry(
                            "conflicts_directory",
                            copy().resolveSibling("conflicts").toString());
        }
        assertThat(source.resolve("a.txt")).hasContent("somebody's");
        assertThat(source.resolve("b.txt")).hasContent("launch's too");
        assertThat(copy().resolveSibling("conflicts").resolve("a.txt")).hasContent("launch's");
    }

    @Test
    void a_copy_whose_grant_no_longer_holds_is_kept_whole() throws IOException {
        preparer.setup(context(true), plan);
        Files.writeString(copy().resolve("a.txt"), "launch's\n");
        Cleanup cleanup = cleanUp(false);
        assertThat(cleanup.retained()).contains("revoked");
        assertThat(cleanup.detail()).containsEntry("copy", copy().toString());
        assertThat(source.resolve("a.txt")).hasContent("one");
        assertThat(copy().resolve("a.txt")).hasContent("launch's");
    }

    @Test
    void a_directory_that_is_gone_or_leads_elsewhere_gets_nothing() throws IOException {
        preparer.setup(context(true), plan);
        Files.writeString(copy().resolve("a.txt"), "launch's\n");
        assertThat(preparer.cleanup(context(true, temporary.resolve("other")), plan)
                        .retained())
                .contains("outside the write grants");
        Path away = temporary.toRealPath().resolve("away");
        Files.move(source, away);
        assertThat(cleanUp(true).retained()).contains("gone");
        Files.createSymbolicLink(source, away);
        assertThat(cleanUp(true).retained()).contains("outside the write grants");
        assertThat(away.resolve("a.txt")).hasContent("one");
        assertThat(copy().resolve("a.txt")).hasContent("launch's");
    }

    @Test
    void a_setup_that_never_ran_or_was_cut_leaves_nothing() throws IOException {
        assertThat(cleanUp(true).retained()).isNull();
        preparer.setup(context(true), plan);
        Files.delete(copy().resolveSibling("manifest"));
        assertThat(cleanUp(false).retained()).isNull();
        assertThat(copy().getParent()).doesNotExist();
    }

    @Test
    void a_hand_back_that_ended_before_it_was_recorded_is_not_done_again() throws IOException {
        preparer.setup(context(true), plan);
        Files.writeString(copy().resolve("a.txt"), "launch's\n");
        workspaces.handBack(IsolatedCopyPreparer.LAUNCHES, KEY);
        Files.writeString(source.resolve("a.txt"), "later\n");

        Cleanup cleanup = cleanUp(false);
        assertThat(cleanup.retained()).isNull();
        assertThat(cleanup.detail()).containsEntry("taken", 1);
        assertThat(source.resolve("a.txt")).hasContent("later");
        assertThat(copy().getParent()).doesNotExist();
    }

    @Test
    void work_that_was_not_taken_back_cannot_be_discarded() throws IOException {
        workspaces.create(source, "s", "c", Progress.NONE);
        assertThatThrownBy(() -> workspaces.discard("s", "c"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT));
        assertThat(state.resolve("workspaces/s/c/copy/a.txt")).exists();
    }
}
