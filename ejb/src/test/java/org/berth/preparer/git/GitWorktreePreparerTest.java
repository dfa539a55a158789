package org.berth.preparer.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.preparer.WorkdirPreparer.Setup;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a worktree goes, and what becomes of it; over real repositories. */
class GitWorktreePreparerTest {
    @TempDir
    private Path temporary;

    private Path work;
    private TestRepository repository;

    @BeforeEach
    void make() throws IOException {
        work = Files.createDirectory(temporary.toRealPath().resolve("work"));
        repository = TestRepository.make(work.resolve("project"));
    }

    private WorktreeLaunch launch() {
        return new WorktreeLaunch("attempt:1", true, repository.top(), work);
    }

    @Test
    void nothing_is_asked_nothing_is_planned() {
        assertThat(new WorktreeLaunch("a", null, repository.top(), work).plan()).isNull();
        assertThat(new WorktreeLaunch("a", false, repository.top(), work).plan())
                .isNull();
    }

    @Test
    void a_worktree_on_a_branch_of_its_own_lies_beside_the_repository_and_goes_without_a_trace() throws IOException {
        WorktreeLaunch launch = launch();
        Setup setup = launch.setUp();

        Path worktree = setup.workingDirectory();
        assertThat(worktree.getParent()).isEqualTo(work.resolve(".berth-worktrees"));
        assertThat(worktree.getFileName().toString()).startsWith("attempt-1-");
        assertThat(setup.writableRoots()).containsExactly(repository.top().resolve(".git"));
        assertThat(setup.derivedRoots()).isEmpty();
        assertThat(worktree.resolve("b.txt")).hasContent("three");
        assertThat(repository.gitIn(worktree, "branch", "--show-current")).isEqualTo("berth/" + worktree.getFileName());
        assertThat(repository.git("status", "--porcelain")).isEmpty();

        Cleanup cleanup = launch.cleanUp();
        assertThat(cleanup.retained()).isNull();
        assertThat(cleanup.detail()).containsEntry("branch_kept", false);
        assertThat(repository.worktrees()).isEmpty();
        assertThat(repository.branches()).containsExactly("main");
        assertThat(work).isDirectoryNotContaining(path -> !path.endsWith("project"));
        assertThat(launch.cleanUp().retained()).isNull();
    }

    @Test
    void the_agent_stays_in_its_subdirectory_even_where_git_tracks_nothing_in_it() throws IOException {
        Setup tracked = new WorktreeLaunch("a", true, repository.top().resolve("src"), work).setUp();
        assertThat(tracked.workingDirectory()).endsWith(Path.of("src")).isDirectoryContaining("glob:**a.txt");

        Path empty = Files.createDirectories(repository.top().resolve("new/deep"));
        Setup untracked = new WorktreeLaunch("b", true, empty, work).setUp();
        assertThat(untracked.workingDirectory()).endsWith(Path.of("new/deep")).isEmptyDirectory();
    }

    @Test
    void with_a_grant_on_the_repository_alone_the_worktree_lies_in_it_and_git_does_not_see_it() throws IOException {
        WorktreeLaunch launch = new WorktreeLaunch("a", true, repository.top(), repository.top());
        Path worktree = launch.setUp().workingDirectory();

        assertThat(worktree.getParent()).isEqualTo(repository.top().resolve(".berth-worktrees"));
        assertThat(repository.git("status", "--porcelain", "--untracked-files=all"))
                .isEmpty();
        assertThat(launch.cleanUp().retained()).isNull();
        assertThat(repository.top().resolve(".berth-worktrees")).doesNotExist();
    }

    @Test
    void a_container_that_the_repository_tracks_or_that_is_a_link_is_refused() throws IOException {
        repository.write(".berth-worktrees/x", "mine");
        repository.commit("third");
        refuses(
                ProblemCode.CONFLICT,
                "tracks files",
                () -> new WorktreeLaunch("a", true, repository.top(), repository.top()).plan());

        Files.createSymbolicLink(work.resolve(".berth-worktrees"), temporary);
        refuses(ProblemCode.CONFLICT, "no directory", () -> launch().plan());
    }

    @Test
    void metadata_outside_the_grant_needs_a_grant_of_its_own() throws IOException {
        Path sub = repository.top().resolve("src");
        Path metadata = repository.top().resolve(".git");
        refuses(
                ProblemCode.DENIED,
                "metadata in " + metadata + ", which no write grant",
                () -> new WorktreeLaunch("a", true, sub, sub).plan());

        WorktreeLaunch granted = new WorktreeLaunch("a", true, sub, sub, metadata);
        Path directory = granted.setUp().workingDirectory();
        assertThat(directory).startsWith(sub.resolve(".berth-worktrees")).endsWith(Path.of("src"));
        assertThat(granted.cleanUp().retained()).isNull();
    }

    @Test
    void a_repository_whose_metadata_lies_elsewhere_is_judged_by_where_they_are() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.toRealPath().resolve("elsewhere"));
        Path linked = work.resolve("linked");
        repository.git(
                "clone",
                "--quiet",
                "--separate-git-dir",
                elsewhere.resolve("meta").toString(),
                ".",
                linked.toString());
        refuses(
                ProblemCode.DENIED,
                elsewhere.resolve("meta").toString(),
                () -> new WorktreeLaunch("a", true, linked, work).plan());

        Files.move(repository.top().resolve(".git"), elsewhere.resolve("moved"));
        Files.createSymbolicLink(repository.top().resolve(".git"), elsewhere.resolve("moved"));
        refuses(ProblemCode.DENIED, elsewhere.resolve("moved").toString(), () -> launch().plan());

        Setup setup = new WorktreeLaunch("b", true, linked, work, elsewhere).setUp();
        assertThat(setup.writableRoots()).containsExactly(elsewhere.resolve("meta"));
    }

    @Test
    void a_launch_in_a_worktree_gets_another_one_of_the_same_repository() {
        Path worktree = launch().setUp().workingDirectory();
        WorktreeLaunch second = new WorktreeLaunch("second", true, worktree, work);
        Path other = second.setUp().workingDirectory();
        assertThat(repository.worktrees()).containsExactlyInAnyOrder(worktree.toString(), other.toString());
        assertThat(second.cleanUp().retained()).isNull();
        assertThat(repository.worktrees()).containsExactly(worktree.toString());
    }

    @Test
    void a_named_branch_starts_at_its_base_and_one_that_is_there_is_worked_on() throws IOException {
        String first = repository.git("rev-parse", "HEAD~1");
        WorktreeLaunch named =
                new WorktreeLaunch("a", Map.of("branch", "feature/x", "base", "HEAD~1"), repository.top(), work);
        Path worktree = named.setUp().workingDirectory();
        assertThat(repository.gitIn(worktree, "rev-parse", "HEAD")).isEqualTo(first);
        assertThat(repository.gitIn(worktree, "branch", "--show-current")).isEqualTo("feature/x");
        named.cleanUp();
        assertThat(repository.branches()).containsExactly("main");

        repository.git("branch", "mine", "HEAD~1");
        WorktreeLaunch existing = new WorktreeLaunch("b", Map.of("branch", "mine"), repository.top(), work);
        assertThat(repository.gitIn(existing.setUp().workingDirectory(), "rev-parse", "HEAD"))
                .isEqualTo(first);
        assertThat(existing.cleanUp().detail()).containsEntry("branch_kept", true);
        assertThat(repository.branches()).containsExactly("main", "mine");
    }

    @Test
    void a_branch_that_cannot_be_had_is_refused() {
        repository.git("branch", "mine");
        refuses(ProblemCode.CONFLICT, "checked out", () -> plan(Map.of("branch", "main")));
        refuses(ProblemCode.CONFLICT, "is there already", () -> plan(Map.of("branch", "mine", "base", "HEAD")));
        refuses(ProblemCode.INVALID, "no commit", () -> plan(Map.of("base", "nothing")));
        refuses(ProblemCode.INVALID, "no commit", () -> plan(Map.of("base", "HEAD:b.txt")));
        refuses(ProblemCode.INVALID, "no commit", () -> plan(Map.of("base", "HEAD~1..HEAD")));
        refuses(ProblemCode.INVALID, "no commit", () -> plan(Map.of("base", "HEAD...mine")));
        refuses(ProblemCode.INVALID, "no commit", () -> plan(Map.of("base", "^HEAD")));
        refuses(ProblemCode.CONFLICT, "is there already", () -> plan(Map.of("branch", "mine", "base", "nothing")));
    }

    @Test
    void a_branch_is_worked_on_while_nothing_is_committed_where_the_launch_stands() {
        repository.git("branch", "mine", "HEAD~1");
        repository.git("switch", "--quiet", "--orphan", "fresh");
        refuses(ProblemCode.INVALID, "a repository with a commit", () -> plan(true));

        WorktreeLaunch existing = new WorktreeLaunch("b", Map.of("branch", "mine"), repository.top(), work);
        assertThat(repository.gitIn(existing.setUp().workingDirectory(), "branch", "--show-current"))
                .isEqualTo("mine");
    }

    private void plan(Object option) {
        new WorktreeLaunch("a", option, repository.top(), work).plan();
    }

    @Test
    void an_option_of_another_form_is_refused_at_prepare() {
        for (Object bad : List.of(
                "yes",
                1L,
                List.of(),
                Map.of("brnach", "x"),
                Map.of("branch", ""),
                Map.of("branch", "-x"),
                Map.of("branch", "a..b"),
                Map.of("branch", "a.lock"),
                Map.of("branch", "a/"),
                Map.of("branch", "a b"),
                Map.of("branch", "x".repeat(201)),
                Map.of("branch", 3L),
                Map.of("base", "--all"),
                Map.of("base", "a\nb"))) {
            refuses(
                    ProblemCode.INVALID,
                    "options.worktree",
                    () -> launch().preparer.admit(Map.of("worktree", bad)));
        }
        launch().preparer.admit(Map.of("worktree", Map.of("branch", "feature/a-1.2", "base", "origin/main~3")));
    }

    @Test
    void what_is_no_repository_or_has_no_commit_is_refused() throws IOException {
        Path plain = Files.createDirectory(work.resolve("plain"));
        refuses(ProblemCode.INVALID, "git work tree", () -> new WorktreeLaunch("a", true, plain, work).plan());
        repository.gitIn(plain, "init", "--quiet");
        refuses(ProblemCode.INVALID, "with a commit", () -> new WorktreeLaunch("a", true, plain, work).plan());
        refuses(
                ProblemCode.INVALID,
                "git work tree",
                () -> new WorktreeLaunch("a", true, repository.top().resolve(".git"), work).plan());
        refuses(
                ProblemCode.DENIED,
                "write grant",
                () -> new WorktreeLaunch("a", true, plain, temporary.resolve("other")).plan());
    }

    @Test
    void uncommitted_work_is_kept_where_it_is() throws IOException {
        for (String path : List.of("b.txt", "src/new.txt")) {
            WorktreeLaunch launch = new WorktreeLaunch("of-" + path, true, repository.top(), work);
            Path worktree = launch.setUp().workingDirectory();
            TestRepository.write(worktree, path, "agent's");
            Cleanup cleanup = launch.cleanUp();
            assertThat(cleanup.retained())
                    .isEqualTo(
                            path.equals("b.txt")
                                    ? "1 changed and 0 untracked paths are not committed"
                                    : "0 changed and 1 untracked paths are not committed");
            assertThat(cleanup.detail()).containsEntry("worktree", worktree.toString());
            assertThat(worktree.resolve(path)).hasContent("agent's");
            assertThat(repository.worktrees()).contains(worktree.toString());
        }
    }

    @Test
    void ignored_files_go_with_the_worktree() throws IOException {
        WorktreeLaunch launch = launch();
        TestRepository.write(launch.setUp().workingDirectory(), "target/out.bin", "built");
        assertThat(launch.cleanUp().retained()).isNull();
    }

    @Test
    void committed_work_is_kept_as_a_branch_and_the_worktree_goes() throws IOException {
        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        TestRepository.write(worktree, "c.txt", "agent's");
        repository.commit(worktree, "by the agent");
        String commit = repository.gitIn(worktree, "rev-parse", "HEAD");

        Cleanup cleanup = launch.cleanUp();
        assertThat(cleanup.retained()).isNull();
        assertThat(cleanup.detail())
                .containsEntry("branch", launch.state().branch())
                .containsEntry("branch_kept", true)
                .containsEntry("commits", 1L);
        assertThat(worktree).doesNotExist();
        assertThat(repository.git("rev-parse", launch.state().branch())).isEqualTo(commit);
    }

    @Test
    void commits_that_are_on_no_branch_keep_the_worktree() throws IOException {
        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        repository.gitIn(worktree, "checkout", "--quiet", "--detach");
        assertThat(new WorktreeLaunch("other", true, repository.top(), work).plan())
                .isNotNull();
        TestRepository.write(worktree, "c.txt", "agent's");
        repository.commit(worktree, "on no branch");
        assertThat(launch.cleanUp().retained()).isEqualTo("its commits are on no branch");
        assertThat(worktree.resolve("c.txt")).exists();

        repository.gitIn(worktree, "branch", "saved");
        assertThat(launch.cleanUp().retained()).isNull();
        assertThat(worktree).doesNotExist();
    }

    @Test
    void a_locked_worktree_an_unfinished_merge_and_a_nested_repository_are_kept() throws IOException {
        WorktreeLaunch locked = new WorktreeLaunch("locked", true, repository.top(), work);
        Path first = locked.setUp().workingDirectory();
        repository.git("worktree", "lock", first.toString());
        assertThat(locked.cleanUp().retained()).contains("locked");
        repository.git("worktree", "unlock", first.toString());
        assertThat(locked.cleanUp().retained()).isNull();

        WorktreeLaunch merging = new WorktreeLaunch("merging", true, repository.top(), work);
        Path second = merging.setUp().workingDirectory();
        repository.git("checkout", "--quiet", "-b", "side", "HEAD~1");
        repository.git("commit", "--quiet", "--allow-empty", "-m", "aside");
        repository.gitIn(second, "merge", "--no-commit", "--no-ff", "-s", "ours", "side");
        assertThat(merging.cleanUp().retained()).contains("not finished");

        WorktreeLaunch nested = new WorktreeLaunch("nested", true, repository.top(), work);
        TestRepository.make(nested.setUp().workingDirectory().resolve("target/inner"));
        assertThat(nested.cleanUp().retained()).contains("other repositories");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--assume-unchanged", "--skip-worktree"})
    void changes_that_git_was_told_not_to_look_at_are_kept(String flag) throws IOException {
        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        repository.gitIn(worktree, "update-index", flag, "b.txt");
        TestRepository.write(worktree, "b.txt", "agent's");
        assertThat(repository.gitIn(worktree, "status", "--porcelain")).isEmpty();
        assertThat(launch.cleanUp().retained()).isNotNull();
        assertThat(worktree.resolve("b.txt")).hasContent("agent's");
    }

    @Test
    void a_repository_that_tells_status_to_be_silent_is_not_believed() throws IOException {
        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        repository.git("config", "status.showUntrackedFiles", "no");
        TestRepository.write(worktree, "new.txt", "agent's");
        assertThat(launch.cleanUp().retained()).isNotNull();
    }

    @Test
    void a_worktree_whose_link_or_place_was_changed_is_left_alone() throws IOException {
        WorktreeLaunch changed = new WorktreeLaunch("changed", true, repository.top(), work);
        Path first = changed.setUp().workingDirectory();
        Files.writeString(first.resolve(".git"), "gitdir: " + temporary + "\n");
        assertThat(changed.cleanUp().retained()).contains("link");
        assertThat(first.resolve("b.txt")).exists();

        WorktreeLaunch swapped = new WorktreeLaunch("swapped", true, repository.top(), work);
        Path second = swapped.setUp().workingDirectory();
        Path away = temporary.resolve("away");
        Files.move(second, away);
        Files.createSymbolicLink(second, away);
        assertThat(swapped.cleanUp().retained()).isNotNull();
        assertThat(away.resolve("b.txt")).exists();
    }

    @Test
    void a_repository_that_is_gone_leaves_its_worktree() throws IOException {
        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        Files.move(repository.top(), temporary.resolve("gone"));
        assertThat(launch.cleanUp().retained()).isEqualTo("the repository of the worktree is gone");
        assertThat(worktree.resolve("b.txt")).exists();
    }

    @Test
    void a_worktree_that_somebody_removed_is_forgotten_by_its_repository() throws IOException {
        WorktreeLaunch launch = launch();
        org.berth.files.Trees.remove(launch.setUp().workingDirectory());
        assertThat(launch.cleanUp().retained()).isNull();
        assertThat(repository.worktrees()).isEmpty();
        assertThat(repository.branches()).containsExactly("main");
    }

    @Test
    void nothing_that_a_repository_configures_is_run() throws IOException {
        Path ran = temporary.resolve("ran");
        Path program = temporary.resolve("program");
        Files.writeString(program, "#!/bin/sh\necho \"$0 $*\" >> " + ran + "\ncat\n");
        program.toFile().setExecutable(true);
        for (String hook : List.of("post-checkout", "reference-transaction", "post-index-change")) {
            Files.copy(program, repository.top().resolve(".git/hooks/" + hook));
            repository.top().resolve(".git/hooks/" + hook).toFile().setExecutable(true);
        }
        repository.write(".gitattributes", "*.txt filter=evil\n");
        repository.commit("attributes");
        Files.deleteIfExists(ran);
        repository.git("config", "core.fsmonitor", program.toString());
        for (String key : List.of("smudge", "clean", "process")) {
            repository.git("config", "filter.evil." + key, program + " " + key);
        }
        repository.git("config", "filter.evil.required", "true");
        Files.deleteIfExists(ran);

        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        TestRepository.write(worktree, "b.txt", "agent's");
        assertThat(launch.cleanUp().retained()).startsWith("1 changed");
        assertThat(ran).doesNotExist();
    }

    @Test
    void a_link_in_the_way_of_the_subdirectory_is_refused() throws IOException {
        Files.createSymbolicLink(repository.top().resolve("link"), temporary);
        repository.commit("a link");
        Files.delete(repository.top().resolve("link"));
        Path directory = Files.createDirectory(repository.top().resolve("link"));
        WorktreeLaunch launch = new WorktreeLaunch("a", true, directory, work);
        refuses(ProblemCode.DENIED, "through a link", launch::setUp);
    }

    private static void refuses(ProblemCode code, String part, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BerthException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal).hasMessageContaining(part);
        });
    }
}
