package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.files.PrivateFiles;
import org.berth.files.Trees;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;

/** A parent's directory and a child's workspace of it, in a directory of their own. */
final class Family implements AutoCloseable {
    static final String SESSION = "s1";
    static final String CHILD = "c1";

    private final Path scratch;
    private final boolean own;
    final Path parent;
    final Path root;
    final IsolatedWorkspace workspace;

    private Family(Path scratch, boolean own) throws IOException {
        this.scratch = scratch;
        this.own = own;
        parent = Files.createDirectories(scratch.resolve("parent"));
        root = PrivateFiles.directory(scratch.resolve("root"));
        workspace = workspace(root);
    }

    static IsolatedWorkspace workspace(Path root) {
        Path none = root.resolve("no-settings");
        return new IsolatedWorkspace(
                root, new TreeListing(new GitSurroundings(none, none, none.resolve("config"))), Lanes.ofThreads(2));
    }

    /** One that its end removes. */
    static Family anywhere() throws IOException {
        return new Family(Files.createTempDirectory("berth-family").toRealPath(), true);
    }

    static Family in(Path scratch) throws IOException {
        return new Family(scratch.toRealPath(), false);
    }

    Path copy() {
        return root.resolve("workspaces/s1/c1/copy");
    }

    Path directory() {
        return root.resolve("workspaces/s1/c1");
    }

    Created create() throws IOException {
        return workspace.create(parent, SESSION, CHILD, Progress.NONE);
    }

    HandBack handBack() throws IOException {
        return workspace.handBack(SESSION, CHILD);
    }

    /** Removes what ended processes put aside. */
    void sweep() throws IOException {
        workspace.sweep(Runnable::run);
    }

    /** What was put aside and is not removed yet. */
    List<Path> discarded() throws IOException {
        Path directory = root.resolve("discarded");
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** The parent has {@code base}, the child begins, then both have what they are given. */
    Family diverge(Map<String, String> base, Map<String, String> parents, Map<String, String> childs)
            throws IOException {
        FileTree.write(parent, base);
        create();
        FileTree.write(copy(), childs);
        FileTree.write(parent, parents);
        return this;
    }

    SortedMap<String, String> parentFiles() throws IOException {
        return FileTree.read(parent);
    }

    SortedMap<String, String> conflictFiles() throws IOException {
        return FileTree.read(directory().resolve("conflicts"));
    }

    /** {@code name=version} pairs as a map. */
    static SortedMap<String, String> files(String... pairs) {
        SortedMap<String, String> files = new TreeMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            files.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return files;
    }

    @Override
    public void close() throws IOException {
        if (own) {
            Trees.remove(scratch);
        }
    }
}
