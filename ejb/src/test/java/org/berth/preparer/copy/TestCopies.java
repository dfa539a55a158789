package org.berth.preparer.copy;

import java.nio.file.Path;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.workspace.IsolatedWorkspace;
import org.berth.harness.workspace.Lanes;

/** The preparer of copies, over a state root of the test's and without git settings of a user. */
public final class TestCopies {
    private TestCopies() {}

    public static IsolatedCopyPreparer preparer(Path stateRoot) {
        IsolatedWorkspace workspaces = workspaces(stateRoot);
        return new IsolatedCopyPreparer(() -> workspaces, () -> stateRoot);
    }

    static IsolatedWorkspace workspaces(Path stateRoot) {
        Path none = stateRoot.resolve("none");
        GitSurroundings surroundings = new GitSurroundings(none, none, none.resolve("gitconfig"));
        return new IsolatedWorkspace(stateRoot, new TreeListing(surroundings), new Lanes(Runnable::run, 1));
    }
}
