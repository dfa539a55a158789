package org.berth.preparer.git;

import java.util.List;
import java.util.Map;

/** The preparer of worktrees, over git as a child of the test. */
public final class TestWorktrees {
    private TestWorktrees() {}

    public static GitWorktreePreparer preparer(HostProcesses commands) {
        Map<String, String> environment =
                GitWorktreePreparer.environment(List.of("/usr/local/bin", "/usr/bin", "/bin"));
        return new GitWorktreePreparer(new Git(commands, () -> "git", () -> environment));
    }
}
