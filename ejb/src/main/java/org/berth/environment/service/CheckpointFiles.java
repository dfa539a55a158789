package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.driver.BoundedFile;
import org.berth.files.Trees;
import org.berth.host.service.Host;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The private bytes of checkpoints: {@code checkpoints/BINDING/CHECKPOINT/history-0.jsonl} below the state root,
 * directories 0700, files 0600. No link is followed on the way to them. Source: environments.md, Operations and
 * Atomicity.
 */
@ApplicationScoped
public class CheckpointFiles {
    /** Below the state root. */
    private static final String DIRECTORY = "checkpoints";

    /** The kept history's name in its directory: {@value}. */
    static final String HISTORY = "history-0.jsonl";

    private static final String STAGE = ".capture-";

    @Inject
    private Host host;

    /** For the container, which injects. */
    public CheckpointFiles() {}

    CheckpointFiles(Host host) {
        this.host = host;
    }

    /** What one checkpoint has on the disk. */
    public record Usage(long bytes, int files) {}

    /** Where the history is kept. */
    Path history(String bindingId, String checkpointId) {
        return directory(bindingId, checkpointId).resolve(HISTORY);
    }

    /**
     * Opens the checkpoint's directory, made at its first use, without the stages of dead captures.
     *
     * @throws BerthException environment_state_symlink, STORAGE
     */
    ArtifactPublication open(String bindingId, String checkpointId) {
        try {
            return ArtifactPublication.open(root().resolve(bindingId), checkpointId, STAGE);
        } catch (BerthException e) {
            if (e.code() == ProblemCode.ARTIFACT_PUBLICATION_CONFLICT) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_STATE_SYMLINK,
                        "A link or another file is in the way of the private directory of checkpoints.",
                        e);
            }
            throw e;
        }
    }

    /**
     * The bytes of a file that a checkpoint keeps or refers to, equal to what was recorded of them.
     *
     * @param levels how many directories above the file are Berth's own and may be no link
     * @throws BerthException environment_checkpoint_changed when they are missing or others
     */
    static byte[] verified(EnvironmentCheckpoint.Retained kept, int levels) {
        Path file = Path.of(kept.source());
        Path root = file;
        for (int i = 0; i <= levels && root.getParent() != null; i++) {
            root = root.getParent();
        }
        byte[] bytes;
        try {
            bytes = new BoundedFile(root, file).read();
        } catch (BerthException e) {
            throw changed(kept.path(), e);
        }
        if (bytes.length != kept.bytes() || !CanonicalJson.sha256(bytes).equals(kept.sha256())) {
            throw changed(kept.path(), null);
        }
        return bytes;
    }

    /** Makes the names of the checkpoint and of its directories durable. */
    void sync(String bindingId, String checkpointId) {
        Path directory = directory(bindingId, checkpointId);
        for (Path each = directory; each.startsWith(root()); each = each.getParent()) {
            force(each);
        }
        force(host.stateRoot());
    }

    /** What is there now; nothing for a checkpoint without a directory. */
    public Usage usage(String bindingId, String checkpointId) {
        long bytes = 0;
        int files = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory(bindingId, checkpointId))) {
            for (Path each : entries) {
                BasicFileAttributes seen =
                        Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (seen.isRegularFile()) {
                    bytes += seen.size();
                    files++;
                }
            }
        } catch (NoSuchFileException e) {
            return new Usage(bytes, files);
        } catch (IOException e) {
            throw storage(e);
        }
        return new Usage(bytes, files);
    }

    /** Removes the checkpoint's directory with all in it, and the binding's when that was the last one. */
    void remove(String bindingId, String checkpointId) {
        try {
            Trees.remove(host.stateRoot(), directory(bindingId, checkpointId));
            Path binding = root().resolve(bindingId);
            if (Files.isDirectory(binding, LinkOption.NOFOLLOW_LINKS)) {
                force(binding);
                removeEmpty(binding);
            }
        } catch (IOException e) {
            throw storage(e);
        }
    }

    /**
     * Removes what dead captures staged, and the directories that {@code unwanted} names by binding and checkpoint.
     *
     * @return how many directories were removed
     */
    int sweep(BiPredicate<String, String> unwanted) {
        int removed = 0;
        for (Path binding : directories(root())) {
            for (Path checkpoint : directories(binding)) {
                String bindingId = binding.getFileName().toString();
                String checkpointId = checkpoint.getFileName().toString();
                if (unwanted.test(bindingId, checkpointId)) {
                    remove(bindingId, checkpointId);
                    removed++;
                } else {
                    open(bindingId, checkpointId);
                }
            }
        }
        return removed;
    }

    private static List<Path> directories(Path parent) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
                for (Path each : entries) {
                    if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                        found.add(each);
                    }
                }
            } catch (IOException e) {
                throw storage(e);
            }
        }
        return found;
    }

    private static void removeEmpty(Path binding) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(binding)) {
            if (entries.iterator().hasNext()) {
                return;
            }
        }
        try {
            Files.deleteIfExists(binding);
        } catch (DirectoryNotEmptyException e) {
            // Another capture of this binding began meanwhile.
            return;
        }
    }

    private Path directory(String bindingId, String checkpointId) {
        return root().resolve(bindingId).resolve(checkpointId);
    }

    private Path root() {
        return host.stateRoot().resolve(DIRECTORY);
    }

    private static void force(Path directory) {
        try (FileChannel channel = FileChannel.open(directory)) {
            channel.force(true);
        } catch (IOException e) {
            throw storage(e);
        }
    }

    private static BerthException changed(String path, BerthException cause) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED,
                "What was kept of " + path + " is missing or changed on this host.",
                cause);
    }

    private static BerthException storage(IOException e) {
        return new BerthException(ProblemCode.STORAGE, "the directory of checkpoints cannot be used", e);
    }
}
