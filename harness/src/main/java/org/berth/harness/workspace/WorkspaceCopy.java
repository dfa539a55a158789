package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.files.PrivateFiles;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Makes a workspace's base and copy. */
record WorkspaceCopy(Path root, TreeListing listing, Lanes lanes, int maxFiles) {
    private static final System.Logger LOG = System.getLogger(IsolatedWorkspace.class.getName());
    private static final String CLOCK = "clock";
    private static final int PRIVATE_FILE = 0600;

    /** Copies {@code parent}, a physical path, and writes the manifest. */
    Created make(Layout layout, Path parent, Progress progress) throws IOException {
        List<TreeListing.Folder> folders = list(parent);
        PrivateFiles.directory(layout.base());
        PrivateFiles.directory(layout.copy());
        PrivateFiles.directory(layout.conflicts());
        try (Directory from = Directory.open(parent);
                Directory workspace = Directory.open(layout.directory());
                Directory base = workspace.directory(layout.base().getFileName().toString());
                Directory copy = workspace.directory(layout.copy().getFileName().toString());
                Pack pack = Pack.make(workspace, layout.pack().getFileName().toString())) {
            TreeCopy copying = new TreeCopy(from, base, copy, pack, progress);
            copying.run(folders, lanes);
            new Manifest(parent, now(workspace), Manifest.currentBoot(), copying.made()).write(layout.manifest());
            warn(layout, copying.counts());
            return new Created(layout.copy(), copying.counts());
        }
    }

    private List<TreeListing.Folder> list(Path parent) throws IOException {
        List<TreeListing.Folder> folders = new ArrayList<>();
        Path state = root.toRealPath();
        String own = state.startsWith(parent) ? parent.relativize(state).toString() : "";
        TreeListing.Visitor visitor = new TreeListing.Visitor() {
            private long files;

            @Override
            public boolean visit(TreeListing.Folder folder) {
                files += folder.files().size();
                if (files > maxFiles) {
                    throw new BerthException(
                            ProblemCode.TOO_LARGE,
                            "the directory " + parent + " has more than " + maxFiles
                                    + " files, too many for a workspace of its own: use workspace \"shared\"");
                }
                return folders.add(folder);
            }

            @Override
            public boolean skips(String path) {
                return path.equals(own);
            }
        };
        if (parent.startsWith(state)) {
            // A child's own copy: a work tree around the state root, which may ignore it whole, has no say in it.
            listing.byRuleFiles(parent, visitor);
        } else {
            listing.byGit(parent, visitor);
        }
        return folders;
    }

    /** The file system's own time, which its stamps come from. */
    private static long now(Directory workspace) throws IOException {
        workspace.remove(CLOCK);
        workspace.create(CLOCK, PRIVATE_FILE).close();
        long now = workspace.status(CLOCK).changedNanos();
        workspace.remove(CLOCK);
        return now;
    }

    private static void warn(Layout layout, Copied copied) {
        if (copied.copiedFiles() > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "workspace {0}: the file system shares no extents, {1} files of {2} bytes were copied twice",
                    layout.directory(),
                    copied.copiedFiles(),
                    copied.copiedBytes());
        }
    }
}
