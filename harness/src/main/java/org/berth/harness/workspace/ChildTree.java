package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.OsException;
import org.berth.harness.tree.Status;

/**
 * What the child did to its copy. A path of the base that the copy still has is never a removal, whatever the rules of the
 * copy ignore by now; other paths count when no .gitignore file of the copy ignores them.
 */
final class ChildTree {
    private static final int OWNER_ALL = 0700;
    private static final int OWNER_READS = 0400;

    private final Manifest manifest;
    private final Directory copy;
    private final Comparison comparison;
    private final boolean rebooted;

    ChildTree(Manifest manifest, Directory copy, Comparison comparison) throws IOException {
        this.manifest = manifest;
        this.copy = copy;
        this.comparison = comparison;
        this.rebooted = !manifest.bootId().equals(Manifest.currentBoot());
    }

    /** Every path of the base, and every path that the child added. */
    List<ChildPath> paths(TreeListing listing, Path copyPath) throws IOException {
        try {
            return read(listing, copyPath);
        } catch (OsException e) {
            if (!e.isDenied()) {
                throw e;
            }
            openUp(copy);
            return read(listing, copyPath);
        }
    }

    private List<ChildPath> read(TreeListing listing, Path copyPath) throws IOException {
        List<ChildPath> paths = new ArrayList<>(manifest.files());
        Set<String> known = new HashSet<>();
        for (Manifest.Folder folder : manifest.folders()) {
            try (Directory at = openOrNull(folder.path())) {
                for (Manifest.File file : folder.files()) {
                    String path = folder.path().isEmpty() ? file.name() : folder.path() + "/" + file.name();
                    known.add(path);
                    paths.add(ofBase(path, file, at == null ? null : at.status(file.name())));
                }
            }
        }
        listing.byRuleFiles(copyPath, folder -> {
            for (Entry entry : folder.files()) {
                String path = folder.path().isEmpty() ? entry.name() : folder.path() + "/" + entry.name();
                if (!known.contains(path)) {
                    paths.add(new ChildPath(path, null, true, false, false));
                }
            }
            return true;
        });
        return paths;
    }

    private ChildPath ofBase(String path, Manifest.File file, Status status) throws IOException {
        if (status == null || !status.isRegular() && !status.isLink()) {
            return new ChildPath(path, file, false, false, false);
        }
        boolean unchanged = file.print().proves(status, manifest.settledNanos()) || comparison.isBase(copy, path, file);
        boolean emptied =
                status.isRegular() && status.size() == 0 && file.print().size() > 0;
        return new ChildPath(path, file, true, unchanged, emptied && rebooted);
    }

    private Directory openOrNull(String path) throws IOException {
        try {
            return copy.descend(path);
        } catch (OsException e) {
            if (e.isMissing()) {
                return null;
            }
            throw e;
        }
    }

    /** The child may have taken its own right to read; the copy is ours. */
    private static void openUp(Directory at) throws IOException {
        for (Entry entry : at.list()) {
            Status status = at.status(entry.name());
            if (status == null || status.isLink()) {
                continue;
            }
            if (status.isDirectory()) {
                allow(at, entry.name(), status, OWNER_ALL);
                try (Directory below = at.directory(entry.name())) {
                    openUp(below);
                }
            } else if (status.isRegular()) {
                allow(at, entry.name(), status, OWNER_READS);
            }
        }
    }

    private static void allow(Directory at, String name, Status status, int rights) throws IOException {
        if ((status.permissions() & rights) != rights) {
            at.mode(name, status.permissions() | rights);
        }
    }
}
