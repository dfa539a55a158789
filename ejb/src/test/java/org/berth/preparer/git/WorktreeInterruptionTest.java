package org.berth.preparer.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.berth.files.Trees;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Setups and cleanups that were cut, repeated and overlapping. */
@Timeout(120)
class WorktreeInterruptionTest {
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
        return new WorktreeLaunch("attempt", true, repository.top(), work);
    }

    /** What a setup that was killed may have left behind. */
    enum Left {
        NOTHING {
            @Override
            void by(WorktreeLaunch launch, TestRepository repository) {}
        },
        CONTAINER {
            @Override
            void by(WorktreeLaunch launch, TestRepository repository) throws IOException {
                WorktreeContainer.make(launch.state());
            }
        },
        BRANCH {
            @Override
            void by(WorktreeLaunch launch, TestRepository repository) throws IOException {
                CONTAINER.by(launch, repository);
                repository.git("branch", launch.state().branch());
            }
        },
        LINK_WITHOUT_FILES {
            @Override
            void by(WorktreeLaunch launch, TestRepository repository) throws IOException {
                launch.setUp();
                unfinished(launch, repository);
                Files.delete(link(launch, repository).directory().resolve("index"));
                Files.delete(launch.state().worktree().resolve("b.txt"));
            }
        },
        CHECKED_OUT_BUT_NOT_UNLOCKED {
            @Override
            void by(WorktreeLaunch launch, TestRepository repository) throws IOException {
                launch.setUp();
                unfinished(launch, repository);
            }
        },
        ALL {
            @Override
            void by(WorktreeLaunch launch, TestRepository repository) {
                launch.setUp();
            }
        };

        abstract void by(WorktreeLaunch launch, TestRepository repository) throws IOException;

        private static void unfinished(WorktreeLaunch launch, TestRepository repository) throws IOException {
            Files.writeString(link(launch, repository).locked(), "initializing\n");
        }

        static WorktreeLink link(WorktreeLaunch launch, TestRepository repository) throws IOException {
            return WorktreeLink.of(
                    repository.top().resolve(".git"), launch.state().worktree());
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_setup_that_was_cut_is_made_whole_by_the_next(Left left) throws IOException {
        WorktreeLaunch launch = launch();
        launch.plan();
        left.by(launch, repository);

        Path worktree = launch.setUp().workingDirectory();
        assertThat(repository.gitIn(worktree, "status", "--porcelain")).isEmpty();
        assertThat(worktree.resolve("b.txt")).hasContent("three");
        assertThat(repository.worktrees()).containsExactly(worktree.toString());
        assertThat(repository.gitIn(worktree, "branch", "--show-current"))
                .isEqualTo(launch.state().branch());
        assertThat(launch.setUp().workingDirectory()).isEqualTo(worktree);
        cleaned(launch);
    }

    @ParameterizedTest
    @EnumSource
    void a_setup_that_was_cut_is_taken_away_whole(Left left) throws IOException {
        WorktreeLaunch launch = launch();
        launch.plan();
        left.by(launch, repository);
        cleaned(launch);
    }

    @Test
    void a_second_setup_leaves_an_agent_s_work_alone() throws IOException {
        WorktreeLaunch launch = launch();
        Path worktree = launch.setUp().workingDirectory();
        TestRepository.write(worktree, "new.txt", "agent's");
        launch.setUp();
        assertThat(worktree.resolve("new.txt")).hasContent("agent's");
        assertThat(launch.commands.count("add")).isEqualTo(1);
    }

    @Test
    void something_else_at_its_place_or_on_its_branch_is_neither_used_nor_removed() throws IOException {
        WorktreeLaunch launch = launch();
        launch.plan();
        TestRepository.write(launch.state().worktree(), "mine.txt", "mine");
        assertThatThrownBy(launch::setUp).isInstanceOf(BerthException.class).hasMessageContaining("something else");
        assertThat(launch.cleanUp().retained()).contains("no worktree");
        assertThat(launch.state().worktree().resolve("mine.txt")).hasContent("mine");
        Trees.remove(launch.state().worktree());

        repository.git("branch", launch.state().branch(), "HEAD~1");
        assertThatThrownBy(launch::setUp).isInstanceOf(BerthException.class).hasMessageContaining("somebody else");
        assertThat(launch.cleanUp().detail()).containsEntry("branch_kept", true);
        assertThat(repository.branches()).contains(launch.state().branch());
    }

    @Test
    void a_worktree_that_was_taken_away_since_its_setup_is_not_made_again() throws IOException {
        WorktreeLaunch launch = launch();
        Trees.remove(launch.setUp().workingDirectory());
        assertThatThrownBy(launch::setUp)
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("removed or replaced");
    }

    /** The steps of a removal, each the last one before a death. */
    enum Removed {
        RENAMED,
        FORGOTTEN,
        PARTLY_DELETED,
        BRANCH_LEFT
    }

    @ParameterizedTest
    @EnumSource
    void a_cleanup_that_was_cut_is_ended_by_the_next(Removed step) throws IOException {
        WorktreeLaunch launch = launch();
        WorktreeState state = launch.state();
        launch.setUp();
        Files.move(state.worktree(), state.aside());
        if (step != Removed.RENAMED) {
            repository.git("worktree", "remove", state.worktree().toString());
        }
        if (step == Removed.PARTLY_DELETED) {
            Files.delete(state.aside().resolve("b.txt"));
        }
        if (step == Removed.BRANCH_LEFT) {
            Trees.remove(state.aside());
        }
        cleaned(launch);
    }

    @Test
    void overlapping_setups_and_cleanups_of_many_launches_leave_nothing() throws Exception {
        List<WorktreeLaunch> launches = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            launches.add(new WorktreeLaunch("attempt-" + i, true, repository.top(), work));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Cleanup>> all = new ArrayList<>();
            for (WorktreeLaunch launch : launches) {
                all.add(() -> {
                    assertThat(launch.setUp().workingDirectory().resolve("b.txt"))
                            .hasContent("three");
                    return launch.cleanUp();
                });
            }
            for (Future<Cleanup> each : threads.invokeAll(all)) {
                assertThat(each.get().retained()).isNull();
            }
        }
        assertThat(repository.worktrees()).isEmpty();
        assertThat(repository.branches()).containsExactly("main");
        assertThat(work.resolve(".berth-worktrees")).doesNotExist();
    }

    private void cleaned(WorktreeLaunch launch) {
        assertThat(launch.cleanUp().retained()).isNull();
        assertThat(repository.worktrees()).isEmpty();
        assertThat(repository.branches()).containsExactly("main");
        assertThat(work.resolve(".berth-worktrees")).doesNotExist();
        assertThat(repository.top().resolve(".git/worktrees")).doesNotExist();
    }
}
