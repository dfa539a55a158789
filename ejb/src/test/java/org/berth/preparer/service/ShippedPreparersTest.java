package org.berth.preparer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.berth.files.PrivateFiles;
import org.berth.placement.Attempt;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.copy.TestCopies;
import org.berth.preparer.git.HostProcesses;
import org.berth.preparer.git.TestRepository;
import org.berth.preparer.git.TestWorktrees;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both shipped preparers on one launch: a copy of a worktree. */
class ShippedPreparersTest {
    private static final Map<String, Object> BOTH = Map.of("worktree", true, "isolated", true);

    @TempDir
    private Path temporary;

    private final PreparerBench bench = new PreparerBench();
    private TestRepository repository;
    private Attempt attempt;

    @BeforeEach
    void make() throws IOException {
        Path real = temporary.toRealPath();
        repository = TestRepository.make(real.resolve("work/project"));
        Path state = PrivateFiles.directory(real.resolve("state"));
        bench.writeRoots.add(real.resolve("work"));
        bench.ownCopies = state.resolve("workspaces");
        bench.add(TestWorktrees.preparer(new HostProcesses()));
        bench.add(TestCopies.preparer(state));
        attempt = bench.starting();
    }

    private Directories setUp(Map<String, Object> options) {
        return bench.preparers()
                .setUp(attempt, bench.request(options), repository.top(), bench.refusals::add, () -> true)
                .orElseThrow();
    }

    private CleanupOutcome cleanUp() {
        return bench.preparers().cleanUp(bench.exited(attempt));
    }

    @Test
    void untouched_both_go_without_a_trace() {
        Directories directories = setUp(BOTH);
        assertThat(directories.workingDirectory()).startsWith(bench.ownCopies);
        assertThat(directories.writable()).isTrue();
        assertThat(directories.workingDirectory().resolve("b.txt")).hasContent("three");
        assertThat(repository.worktrees()).hasSize(1);

        assertThat(cleanUp().settled()).isTrue();
        assertThat(bench.phases(attempt)).containsOnly(PreparerPhase.CLEANED);
        assertThat(repository.worktrees()).isEmpty();
        assertThat(repository.branches()).containsExactly("main");
        assertThat(directories.workingDirectory()).doesNotExist();
    }

    @Test
    void changes_come_from_the_copy_to_the_worktree_which_is_then_kept() throws IOException {
        Directories directories = setUp(BOTH);
        Files.writeString(directories.workingDirectory().resolve("new.txt"), "agent's");

        assertThat(cleanUp().settled()).isTrue();
        assertThat(bench.phases(attempt)).containsExactly(PreparerPhase.RETAINED, PreparerPhase.CLEANED);
        assertThat(Path.of(repository.worktrees().getFirst()).resolve("new.txt"))
                .hasContent("agent's");
        assertThat(repository.top().resolve("new.txt")).doesNotExist();
    }

    @Test
    void the_other_order_is_refused_by_a_sentence_before_anything_is_made() {
        Collections.reverse(bench.authorised);
        assertThatThrownBy(() -> setUp(BOTH)).isInstanceOfSatisfying(BerthException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ProblemCode.DENIED);
            assertThat(refusal).hasMessageContaining("git-worktree before isolated-copy");
        });
        assertThat(bench.states(attempt)).isEmpty();
        assertThat(repository.worktrees()).isEmpty();
        assertThat(bench.ownCopies).doesNotExist();
        assertThat(bench.refusals).hasSize(1);
    }

    @Test
    void a_setup_that_was_cut_is_repeated_and_cleaned_whole() {
        setUp(BOTH);
        Directories again = setUp(BOTH);
        assertThat(again.workingDirectory().resolve("b.txt")).hasContent("three");
        assertThat(repository.worktrees()).hasSize(1);
        assertThat(cleanUp().settled()).isTrue();
        assertThat(repository.worktrees()).isEmpty();
    }

    @Test
    void without_an_option_nothing_moves() {
        assertThat(setUp(Map.of()).workingDirectory()).isEqualTo(repository.top());
        assertThat(bench.states(attempt)).isEmpty();
    }
}
