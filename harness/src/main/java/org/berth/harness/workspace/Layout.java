package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.berth.files.PrivateFiles;
import org.berth.problem.BerthException;

/**
 * Where a workspace's parts lie. Source: harness.md, Isolated workspaces.
 *
 * @param directory {@code <root>/workspaces/<parent session>/<child>}
 */
record Layout(Path directory) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    /** @throws BerthException INVALID when an id could not be a directory's name */
    static Layout of(Path root, String session, String child) {
        if (!ID.matcher(session).matches() || !ID.matcher(child).matches()) {
            throw BerthException.invalid("the ids of a workspace are letters, digits, dots and dashes, at most 128");
        }
        return new Layout(root.resolve("workspaces").resolve(session).resolve(child));
    }

    /** Makes the directory and those above it, private from their first moment. */
    void make() throws IOException {
        Path session = directory.getParent();
        PrivateFiles.directory(session.getParent());
        PrivateFiles.directory(session);
        PrivateFiles.directory(directory);
    }

    /** The files as the child found them, as far as each is a file of its own. */
    Path base() {
        return directory.resolve("base");
    }

    /** The small files as the child found them, one after another. */
    Path pack() {
        return directory.resolve("base.pack");
    }

    /** The child's working directory; after the hand-back a link to the parent's. */
    Path copy() {
        return directory.resolve("copy");
    }

    /** The child's versions that were not taken. */
    Path conflicts() {
        return directory.resolve("conflicts");
    }

    /** What the hand-back did; where it is, the hand-back is over. */
    Path record() {
        return directory.resolve("handback.json");
    }

    /** What was copied; where it is, the workspace is complete. */
    Path manifest() {
        return directory.resolve("manifest");
    }

    /** What a hand-back set out to do, so that one after a crash reports it as its own. */
    Path plan() {
        return directory.resolve("plan.json");
    }

    /** Held by who works on this workspace. */
    Path lock() {
        return directory.resolve("lock");
    }

    /** Where the copy goes before it is removed. */
    Path copyAside() {
        return directory.resolve("removing");
    }

    /** The link, before it gets the copy's name. */
    Path linkAside() {
        return directory.resolve("copy.link");
    }
}
