package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Executor;
import org.berth.files.PrivateFiles;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.problem.BerthException;

/**
 * Workspaces of children that work in a copy of their parent's files. Safe for any thread; one workspace is worked on by
 * one call at a time. The child must be stopped before its hand-back. Source: harness.md, Isolated workspaces.
 */
public final class IsolatedWorkspace {
    /** The most files a workspace is made of. Source: the harness reference, S3, A subagent's workspace 2. */
    public static final int MAX_FILES = 100_000;

    private final Path root;
    private final TreeListing listing;
    private final Lanes lanes;
    private final int maxFiles;
    private final Discarded discarded;

    /**
     * @param root the state root, an existing private directory
     * @param lanes the threads that copy
     */
    public IsolatedWorkspace(Path root, TreeListing listing, Lanes lanes) {
        this(root, listing, lanes, MAX_FILES);
    }

    IsolatedWorkspace(Path root, TreeListing listing, Lanes lanes, int maxFiles) {
        this.root = root;
        this.listing = listing;
        this.lanes = lanes;
        this.maxFiles = maxFiles;
        this.discarded = new Discarded(root, lanes);
    }

    /**
     * Copies {@code parentDirectory}'s tracked and untracked, not ignored files two times: as the base and as the child's
     * working directory. A workspace that is there already is answered as it is; one whose making was cut is made anew.
     *
     * @param session the parent session's id
     * @param child the child's id
     * @throws BerthException TOO_LARGE for more than {@link #MAX_FILES} files; CONFLICT after the hand-back or during another
     *     call; INVALID for ids that cannot name a directory, or a parent's directory that is none
     * @throws IOException when a file cannot be read or written; the call may be made again
     */
    public Created create(Path parentDirectory, String session, String child, Progress progress) throws IOException {
        Layout layout = Layout.of(root, session, child);
        if (!Files.isDirectory(parentDirectory)) {
            throw BerthException.invalid("the parent's directory " + parentDirectory + " is not a directory");
        }
        layout.make();
        try (WorkspaceLock _ = WorkspaceLock.of(layout)) {
            if (exists(layout.record())) {
                throw BerthException.conflict("the workspace of " + child + " was handed back");
            }
            if (exists(layout.manifest())) {
                Manifest manifest = Manifest.read(layout.manifest());
                return new Created(layout.copy(), new Copied(manifest.files(), 0, 0, 0));
            }
            removeAll(layout.base(), layout.copy());
            return new WorkspaceCopy(root, listing, lanes, maxFiles)
                    .make(layout, parentDirectory.toRealPath(), progress);
        }
    }

    /**
     * Takes the child's changes into the parent's directory, path by path, then removes base and copy; the child's directory
     * becomes a link to the parent's. A call that was cut may be made again, as may one that ended.
     *
     * @throws BerthException NOT_FOUND when there is no complete workspace, CONFLICT during another call
     * @throws IOException when a file cannot be read or written; the copy stays, and the call may be made again
     */
    public HandBack handBack(String session, String child) throws IOException {
        Taken taken = taken(session, child);
        discarded.remove(discarded.left(Layout.of(root, session, child).directory()));
        return taken.handBack();
    }

    /** As {@link #handBack(String, String)}, but base and copy are only put aside, and {@code remover} removes them later. */
    public HandBack handBack(String session, String child, Executor remover) throws IOException {
        Taken taken = taken(session, child);
        discarded.removeLater(taken.discarded(), remover);
        return taken.handBack();
    }

    /** Removes, on {@code remover}, what hand-backs of an ended process put aside. To be called before the first of this one. */
    public void sweep(Executor remover) throws IOException {
        discarded.removeLater(discarded.left(), remover);
    }

    /** A hand-back that is over but for the removal of {@code discarded} trees. */
    private record Taken(HandBack handBack, List<Path> discarded) {}

    private Taken taken(String session, String child) throws IOException {
        Layout layout = Layout.of(root, session, child);
        if (!exists(layout.manifest())) {
            throw BerthException.notFound("there is no workspace of " + child);
        }
        try (WorkspaceLock _ = WorkspaceLock.of(layout)) {
            Manifest manifest = Manifest.read(layout.manifest());
            if (!exists(layout.record())) {
                takeBack(layout, manifest);
            }
            HandBack handBack = HandBackJson.read(layout.record(), layout.conflicts());
            return new Taken(handBack, finish(layout, manifest.parent()));
        }
    }

    /**
     * Removes what is kept of a workspace that holds no work of its child any more: one whose making was cut, or one that
     * was handed back without a conflict. One that is gone is gone.
     *
     * @throws BerthException CONFLICT when there is something of the child's in it, or during another call
     * @throws IOException when a file cannot be removed; the call may be made again
     */
    public void discard(String session, String child) throws IOException {
        Layout layout = Layout.of(root, session, child);
        if (!exists(layout.directory())) {
            return;
        }
        try (WorkspaceLock _ = WorkspaceLock.of(layout)) {
            boolean over = exists(layout.record())
                    ? HandBackJson.read(layout.record(), layout.conflicts())
                            .conflicts()
                            .isEmpty()
                    : !exists(layout.manifest());
            if (!over) {
                throw BerthException.conflict("the workspace of " + child + " holds work that was not taken back");
            }
            // The record last: a removal that is cut leaves a workspace that is over.
            removeAll(layout.base(), layout.copy(), layout.copyAside(), layout.conflicts());
            for (Path file : List.of(layout.pack(), layout.plan(), layout.linkAside(), layout.manifest())) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(layout.record());
        }
        removeAll(layout.directory());
    }

    private void takeBack(Layout layout, Manifest manifest) throws IOException {
        removeAll(layout.conflicts());
        PrivateFiles.directory(layout.conflicts());
        String owner = layout.directory().toString();
        try (Directory workspace = Directory.open(layout.directory());
                Directory base = workspace.directory(layout.base().getFileName().toString());
                Directory copy = workspace.directory(layout.copy().getFileName().toString());
                Directory kept =
                        workspace.directory(layout.conflicts().getFileName().toString());
                Directory parent = Directory.open(manifest.parent());
                Comparison comparison = new Comparison(
                        base, workspace.file(layout.pack().getFileName().toString()))) {
            List<ChildPath> paths = new ChildTree(manifest, copy, comparison).paths(listing, layout.copy());
            ParentTree into = new ParentTree(parent, owner);
            ParentTree beside = new ParentTree(kept, owner);
            HandBack handBack = new HandBackRun(layout, manifest, copy, into, beside, comparison, lanes).run(paths);
            HandBackJson.write(layout.record(), handBack, layout.conflicts());
            FaultPoint.HANDBACK_RECORDED.hit();
        }
    }

    /** Puts the link in the copy's place. @return trees that are to be removed */
    private List<Path> finish(Layout layout, Path parent) throws IOException {
        if (!Files.isSymbolicLink(layout.copy())) {
            if (exists(layout.copy())) {
                Files.move(layout.copy(), layout.copyAside(), StandardCopyOption.ATOMIC_MOVE);
                FaultPoint.HANDBACK_ASIDE.hit();
            }
            Files.deleteIfExists(layout.linkAside());
            Files.createSymbolicLink(layout.linkAside(), parent);
            Files.move(layout.linkAside(), layout.copy(), StandardCopyOption.ATOMIC_MOVE);
            FaultPoint.HANDBACK_LINKED.hit();
        }
        List<Path> left = discarded.take(layout.directory(), layout.base(), layout.copyAside());
        FaultPoint.HANDBACK_DISCARDED.hit();
        Files.deleteIfExists(layout.pack());
        Files.deleteIfExists(layout.plan());
        return left;
    }

    private void removeAll(Path... directories) throws IOException {
        TreeRemoval.of(List.of(directories), lanes);
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
