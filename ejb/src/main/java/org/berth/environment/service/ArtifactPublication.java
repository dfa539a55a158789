package org.berth.environment.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.environment.driver.BoundedFile;
import org.berth.files.PrivateFiles;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * A private host directory for bytes that came out of guests. A file is written beside its final name, made durable, and appears there
 * whole and only where nothing was. Source: environments.md, Export and Atomicity.
 */
final class ArtifactPublication {
    private static final String TRANSFER = ".transfer-";

    /** Stages of exports that are under way in this server, so that a sweep leaves them alone. */
    private static final Set<Path> UNDER_WAY = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final String stagePrefix;

    private ArtifactPublication(Path directory, String stagePrefix) {
        this.directory = directory;
        this.stagePrefix = stagePrefix;
    }

    /** The directory of one binding's artifacts, as {@link #open(Path, String, String)} opens it. */
    static ArtifactPublication open(Path root, String bindingId) {
        return open(root, bindingId, TRANSFER);
    }

    /**
     * Opens {@code root/name}, made with mode 0700 at its first use, and removes the stages that dead ones left.
     *
     * @param root a physical directory, made when it is missing
     * @param stagePrefix begins the names of stages
     * @throws BerthException artifact_publication_conflict when a link or something else is in the way
     */
    static ArtifactPublication open(Path root, String name, String stagePrefix) {
        try {
            requireNoLink(root);
            Files.createDirectories(
                    root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            requireNoLink(root.resolve(name));
            ArtifactPublication opened =
                    new ArtifactPublication(PrivateFiles.directory(root.resolve(name)), stagePrefix);
            opened.sweep();
            return opened;
        } catch (FileAlreadyExistsException e) {
            throw conflict("The private directory is something else.");
        } catch (IOException e) {
            throw storage(e);
        }
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /**
     * The bytes that were published under {@code name}.
     *
     * @throws BerthException environment_symlink, invalid_environment_file, environment_file_changed for anything that is
     *     no readable regular file
     */
    Optional<byte[]> published(String name) {
        return Files.exists(path(name), LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(new BoundedFile(directory, path(name)).read())
                : Optional.empty();
    }

    /** One durable copy beside its final name; closing it removes what was not published. */
    final class Stage implements AutoCloseable {
        private final Path file = directory.resolve(stagePrefix + UUID.randomUUID());

        private Stage(byte[] bytes) {
            UNDER_WAY.add(file);
            try (FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            } catch (IOException e) {
                close();
                throw storage(e);
            }
        }

        /** What lies on the disk. */
        byte[] bytes() {
            return new BoundedFile(directory, file).read();
        }

        /** Gives it its final name; what has that name already stays, and is the caller's to verify. */
        void publish(String name) {
            try {
                Files.createLink(path(name), file);
            } catch (FileAlreadyExistsException e) {
                return;
            } catch (UnsupportedOperationException | FileSystemException e) {
                // Some file systems have no hard links.
                rename(name);
            } catch (IOException e) {
                throw storage(e);
            }
        }

        private void rename(String name) {
            try {
                NoReplaceRename.rename(file, path(name));
            } catch (FileAlreadyExistsException e) {
                return;
            } catch (IOException e) {
                throw storage(e);
            }
        }

        @Override
        public void close() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw storage(e);
            } finally {
                UNDER_WAY.remove(file);
            }
        }
    }

    Stage stage(byte[] bytes) {
        return new Stage(bytes);
    }

    /** Makes the names durable. */
    void sync() {
        try (FileChannel channel = FileChannel.open(directory)) {
            channel.force(true);
        } catch (IOException e) {
            throw storage(e);
        }
    }

    private void sweep() throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(directory, stagePrefix + "*")) {
            for (Path each : leftovers) {
                if (!UNDER_WAY.contains(each) && Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    private static void requireNoLink(Path path) {
        for (Path each = path; each != null; each = each.getParent()) {
            if (Files.isSymbolicLink(each)) {
                throw conflict("The private directory is reached through a symbolic link.");
            }
        }
    }

    private static BerthException conflict(String sentence) {
        return new BerthException(ProblemCode.ARTIFACT_PUBLICATION_CONFLICT, sentence);
    }

    private static BerthException storage(IOException e) {
        return new BerthException(ProblemCode.STORAGE, "bytes of a guest cannot be written on this host", e);
    }
}
