package org.berth.harness.ignore;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Entry;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.OsException;

/**
 * Lists a directory's files and links by git's rules, never {@code .git}, never a pipe, socket or device. Safe for any
 * thread. Source: harness.md, Isolated workspaces; gitignore(5).
 */
public final class TreeListing {
    private static final String RULES = ".gitignore";
    private static final String GIT = ".git";

    private final GitSurroundings surroundings;

    public TreeListing(GitSurroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * One directory's files.
     *
     * @param path from the listed directory, with {@code /}; empty for itself
     * @param files its files and links, never empty
     */
    public record Folder(String path, List<Entry> files) {}

    /** Ends a listing early. */
    public interface Visitor {
        /** @return whether to go on */
        boolean visit(Folder folder) throws IOException;

        /** Whether the directory at {@code path} is left out with all below it. */
        default boolean skips(String path) {
            return false;
        }
    }

    /**
     * Tracked files and untracked ones that are not ignored, where {@code directory} lies in a git work tree; else as
     * {@link #byRuleFiles}.
     *
     * @param directory an absolute path; links on the way are followed
     */
    public void byGit(Path directory, Visitor visitor) throws IOException {
        Path real = directory.toRealPath();
        try (Directory at = Directory.open(real)) {
            byGit(real, at, visitor);
        }
    }

    /**
     * As {@link #byGit(Path, Visitor)}, of a directory that is open already.
     *
     * @param real its physical path, by which the work tree around it is found
     */
    public void byGit(Path real, Directory at, Visitor visitor) throws IOException {
        Optional<WorkTree> found = WorkTree.around(real, surroundings);
        if (found.isEmpty()) {
            new Walk(visitor, null, "", real).folder(at, "", Scope.NONE, false);
            return;
        }
        WorkTree tree = found.get();
        String prefix = tree.root().relativize(real).toString();
        try (Directory top = Directory.open(tree.root())) {
            Scope scope = tree.outerRules();
            boolean ignored = false;
            String above = "";
            for (String name : prefix.isEmpty() ? new String[0] : prefix.split("/")) {
                try (Directory directoryAbove = top.descend(above)) {
                    scope = scope.with(rules(directoryAbove), above);
                }
                ignored |= scope.ignores(above, name, true);
                above = Scope.join(above, name);
            }
            new Walk(visitor, tree.index(prefix), prefix, real).folder(at, "", scope, ignored);
        }
    }

    /** Files that the directory's own .gitignore files do not ignore. */
    public void byRuleFiles(Path directory, Visitor visitor) throws IOException {
        try (Directory at = Directory.open(directory)) {
            new Walk(visitor, null, "", directory).folder(at, "", Scope.NONE, false);
        }
    }

    private static byte[] rules(Directory directory) throws IOException {
        try (OpenFile file = directory.file(RULES);
                Arena arena = Arena.ofConfined()) {
            long size = file.status().size();
            if (!file.status().isRegular() || size > Scope.MAX_RULE_BYTES) {
                return new byte[0];
            }
            MemorySegment content = arena.allocate(size);
            return content.asSlice(0, file.read(content)).toArray(ValueLayout.JAVA_BYTE);
        } catch (OsException e) {
            if (e.isMissing()) {
                return new byte[0];
            }
            throw e;
        }
    }

    /** One listing. {@code index} is null where git does not say what is tracked. */
    private record Walk(Visitor visitor, GitIndex index, String prefix, Path root) {
        private static final int MAX_DEPTH = 1000;

        /** @return whether to go on */
        boolean folder(Directory at, String path, Scope outer, boolean trackedOnly) throws IOException {
            List<Entry> entries = at.list();
            if (isRepository(path, entries)) {
                return true;
            }
            boolean hasRules = !trackedOnly && entries.stream().anyMatch(Walk::isRules);
            Scope scope = hasRules ? outer.with(rules(at), inTree(path)) : outer;
            List<Entry> files = new ArrayList<>();
            List<Entry> directories = new ArrayList<>();
            for (Entry entry : entries) {
                switch (entry.kind()) {
                    case DIRECTORY -> directories.add(entry);
                    case FILE, LINK -> {
                        if (isListed(path, entry, scope, trackedOnly)) {
                            files.add(entry);
                        }
                    }
                    case SPECIAL, UNKNOWN -> {}
                }
            }
            if (!files.isEmpty() && !visitor.visit(new Folder(path, files))) {
                return false;
            }
            for (Entry directory : directories) {
                if (!descend(at, path, directory.name(), scope, trackedOnly)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isRules(Entry entry) {
            return entry.name().equals(RULES);
        }

        private boolean isListed(String path, Entry entry, Scope scope, boolean trackedOnly) {
            if (entry.name().equals(GIT)) {
                return false;
            }
            if (index != null && index.files().contains(Scope.join(path, entry.name()))) {
                return true;
            }
            return !trackedOnly && !scope.ignores(inTree(path), entry.name(), false);
        }

        private boolean descend(Directory at, String path, String name, Scope scope, boolean trackedOnly)
                throws IOException {
            String own = Scope.join(path, name);
            if (name.equals(GIT) || visitor.skips(own)) {
                return true;
            }
            boolean only = trackedOnly || scope.ignores(inTree(path), name, true);
            if (only && !holdsTracked(own)) {
                return true;
            }
            if (own.chars().filter(c -> c == '/').count() > MAX_DEPTH) {
                throw new IOException("directories lie more than " + MAX_DEPTH + " deep below " + root);
            }
            try (Directory below = open(at, name)) {
                return below == null || folder(below, own, scope, only);
            }
        }

        /** Null when the directory went away, or became another thing, since its name was read. */
        private static Directory open(Directory at, String name) throws IOException {
            try {
                return at.directory(name);
            } catch (OsException e) {
                if (e.isMissing()) {
                    return null;
                }
                throw e;
            }
        }

        private boolean holdsTracked(String path) {
            return index != null && index.directories().contains(path);
        }

        /** {@code path} from the work tree's top. */
        private String inTree(String path) {
            return path.isEmpty() ? prefix : Scope.join(prefix, path);
        }

        /** Another repository's work tree, of which git lists nothing. */
        private boolean isRepository(String path, List<Entry> entries) throws IOException {
            if (index == null || path.isEmpty() || holdsTracked(path)) {
                return false;
            }
            return index.repositories().contains(path)
                    || entries.stream().anyMatch(entry -> entry.name().equals(GIT))
                            && WorkTree.isRoot(root.resolve(path));
        }
    }
}
