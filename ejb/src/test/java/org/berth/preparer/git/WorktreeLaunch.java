package org.berth.preparer.git;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.placement.AttemptKeys;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.preparer.WorkdirPreparer.Context;
import org.berth.preparer.WorkdirPreparer.Plan;
import org.berth.preparer.WorkdirPreparer.Setup;

/** One launch with the preparer, over real git. */
final class WorktreeLaunch {
    final HostProcesses commands = new HostProcesses();
    final GitWorktreePreparer preparer;
    private final String attemptId;
    private final Path workingDirectory;
    private final List<Path> writeRoots;
    private final Object option;
    private Plan plan;

    WorktreeLaunch(String attemptId, Object option, Path workingDirectory, Path... writeRoots) {
        this.attemptId = attemptId;
        this.option = option;
        this.workingDirectory = workingDirectory;
        this.writeRoots = List.of(writeRoots);
        this.preparer = TestWorktrees.preparer(commands);
    }

    Context context() {
        return new Context(
                attemptId,
                AttemptKeys.attempt("owner", attemptId),
                "owner",
                workingDirectory,
                List.of(),
                writeRoots,
                option == null ? Map.of() : Map.of("worktree", option),
                true);
    }

    Plan plan() {
        if (plan == null) {
            plan = preparer.plan(context());
        }
        return plan;
    }

    WorktreeState state() {
        return WorktreeState.of(plan().state());
    }

    Setup setUp() {
        return preparer.setup(context(), plan().state());
    }

    Cleanup cleanUp() {
        return preparer.cleanup(
                new Context(
                        attemptId,
                        AttemptKeys.attempt("owner", attemptId),
                        "owner",
                        null,
                        List.of(),
                        writeRoots,
                        Map.of(),
                        true),
                plan().state());
    }
}
