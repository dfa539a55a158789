package org.berth.preparer.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a repository's files is what git answers; where it might not be, git is asked. */
class OrdinaryRepositoryTest {
    private static final String FRESH = "refs/heads/berth/fresh";

    @TempDir
    private Path temporary;

    private TestRepository repository;

    @BeforeEach
    void make() throws IOException {
        repository = TestRepository.make(temporary.toRealPath().resolve("work/project"));
    }

    private static Git git() {
        return new Git(
                new HostProcesses(),
                () -> "git",
                () -> GitWorktreePreparer.environment(List.of("/usr/local/bin", "/usr/bin", "/bin")));
    }

    private static void answersAsGit(Path directory) {
        assertThat(OrdinaryRepository.read(directory, FRESH))
                .contains(GitRepository.asked(git(), directory, GitRepository.HEAD, FRESH));
    }

    private static void leavesToGit(Path directory, String fresh) {
        assertThat(OrdinaryRepository.read(directory, fresh)).isEmpty();
    }

    private void leavesToGit() {
        leavesToGit(repository.top(), FRESH);
    }

    @Test
    void a_branch_at_the_top_and_below_it_is_read_as_git_reads_it() throws IOException {
        answersAsGit(repository.top());
        answersAsGit(repository.top().resolve("src"));
        answersAsGit(Files.createDirectories(repository.top().resolve("new/deep")));
    }

    @Test
    void a_packed_branch_and_a_detached_head_are_read_as_git_reads_them() {
        repository.git("tag", "v1");
        repository.git("pack-refs", "--all");
        answersAsGit(repository.top());
        repository.git("checkout", "--quiet", "-b", "a/b.c-d");
        answersAsGit(repository.top());
        repository.git("checkout", "--quiet", "--detach", "HEAD~1");
        answersAsGit(repository.top());
    }

    @Test
    void a_branch_that_is_newer_than_its_packed_place_is_read_from_its_own_file() throws IOException {
        repository.git("pack-refs", "--all");
        repository.write("b.txt", "four\n");
        repository.commit("third");
        answersAsGit(repository.top());
        assertThat(OrdinaryRepository.read(repository.top(), FRESH)
                        .orElseThrow()
                        .first())
                .isEqualTo(repository.head());
    }

    @Test
    void a_branch_that_is_there_is_left_to_git_loose_or_packed() {
        repository.git("branch", "berth/fresh");
        leavesToGit();
        repository.git("pack-refs", "--all");
        leavesToGit();
    }

    @Test
    void a_worktree_a_submodule_and_a_repository_inside_the_metadata_are_left_to_git() {
        Path worktree = repository.top().resolveSibling("other");
        repository.git("worktree", "add", "--quiet", worktree.toString());
        leavesToGit(worktree, FRESH);
        leavesToGit(repository.top().resolve(".git"), FRESH);
        leavesToGit(repository.top().resolve(".git/objects"), FRESH);
    }

    @Test
    void a_bare_repository_and_no_repository_are_left_to_git() throws IOException {
        Path bare = repository.top().resolveSibling("bare.git");
        repository.git("clone", "--quiet", "--bare", repository.top().toString(), bare.toString());
        leavesToGit(bare, FRESH);
        leavesToGit(Files.createDirectory(repository.top().resolveSibling("none")), FRESH);
    }

    @Test
    void a_repository_without_a_commit_is_left_to_git() throws IOException {
        Path empty = Files.createDirectory(repository.top().resolveSibling("empty"));
        repository.gitIn(empty, "init", "--quiet");
        leavesToGit(empty, FRESH);
    }

    @Test
    void another_format_of_references_or_objects_is_left_to_git() throws IOException {
        Path other = Files.createDirectory(repository.top().resolveSibling("sha256"));
        repository.gitIn(other, "init", "--quiet", "--object-format=sha256");
        TestRepository.write(other, "a", "a");
        repository.commit(other, "first");
        leavesToGit(other, FRESH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[core]\n\tworktree = /tmp\n",
                "[include]\n\tpath = other\n",
                "[core]\n\tbare = true\n",
                "[core] bare\n",
                "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n",
            })
    void settings_that_may_move_the_work_tree_are_left_to_git(String settings) throws IOException {
        Path config = repository.top().resolve(".git/config");
        Files.writeString(config, Files.readString(config) + settings);
        leavesToGit();
    }

    @Test
    void links_in_the_place_of_metadata_are_left_to_git() throws IOException {
        Path moved = repository.top().resolveSibling("moved.git");
        Files.move(repository.top().resolve(".git"), moved);
        Files.createSymbolicLink(repository.top().resolve(".git"), moved);
        leavesToGit();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ref: refs/heads/../../../x\n", "ref: refs/remotes/o/m\n", "ref: refs/heads/.invalid\n", "0\n"})
    void a_head_that_is_no_plain_reference_is_left_to_git(String head) throws IOException {
        Files.writeString(repository.top().resolve(".git/HEAD"), head);
        leavesToGit();
    }

    @Test
    void a_plan_asks_git_nothing_for_an_ordinary_repository_and_once_for_another_base() {
        HostProcesses commands = new HostProcesses();
        Git git = new Git(
                commands,
                () -> "git",
                () -> GitWorktreePreparer.environment(List.of("/usr/local/bin", "/usr/bin", "/bin")));
        GitRepository.around(git, repository.top(), GitRepository.HEAD, FRESH);
        assertThat(commands.asked).isEmpty();
        assertThat(GitRepository.around(git, repository.top(), "HEAD~1", FRESH).first())
                .isNotEqualTo(repository.head());
        assertThat(commands.asked).hasSize(1);
        assertThat(Optional.ofNullable(
                        GitRepository.around(git, repository.top(), GitRepository.HEAD, "refs/heads/main")
                                .second()))
                .contains(repository.head());
    }
}
