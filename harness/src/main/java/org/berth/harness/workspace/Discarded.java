package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.berth.files.PrivateFiles;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Names;
import org.berth.placement.CanonicalJson;

/**
 * Where trees go that nobody needs any more: a rename takes one out of its workspace at once, and its files are removed
 * when there is time. What a crash leaves here is removed by the next start.
 */
record Discarded(Path root, Lanes lanes) {
    private static final System.Logger LOG = System.getLogger(Discarded.class.getName());

    /** Moves each of {@code trees} that is there out of its workspace at {@code owner}. @return where they are now */
    List<Path> take(Path owner, Path... trees) throws IOException {
        List<Path> taken = new ArrayList<>();
        for (Path tree : trees) {
            if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
                try (Directory above = Directory.open(tree.getParent())) {
                    TreeRemoval.admit(above, tree.getFileName().toString());
                }
                Path to = PrivateFiles.directory(directory()).resolve(prefix(owner) + UUID.randomUUID());
                taken.add(Files.move(tree, to, StandardCopyOption.ATOMIC_MOVE));
            }
        }
        return taken;
    }

    /** All that is here. */
    List<Path> left() throws IOException {
        return left("*");
    }

    /** What is here of the workspace at {@code owner}, put aside now or by a call whose removal failed. */
    List<Path> left(Path owner) throws IOException {
        return left(prefix(owner) + "*");
    }

    private List<Path> left(String names) throws IOException {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> here = Files.newDirectoryStream(directory(), names)) {
            here.forEach(left::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return left;
    }

    void remove(List<Path> taken) throws IOException {
        TreeRemoval.of(taken, lanes);
    }

    /** Removes {@code taken} on a thread of {@code executor}; what fails is logged and is left for the next start. */
    void removeLater(List<Path> taken, Executor executor) {
        try {
            executor.execute(() -> {
                try {
                    remove(taken);
                } catch (IOException | RuntimeException e) {
                    LOG.log(System.Logger.Level.WARNING, "left for the next start to remove: " + taken, e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "left for the next start to remove: " + taken, e);
        }
    }

    private Path directory() {
        return root.resolve("discarded");
    }

    /** Short enough for a name, whatever the workspace's ids are. */
    private static String prefix(Path owner) {
        return CanonicalJson.sha256(Names.encode(owner.toString())) + "-";
    }
}
