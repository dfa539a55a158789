package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.PlacementLayout;

/**
 * The private directories of attempts and sessions: made with mode 0700 in one step, removed without following a
 * link. Source: placement.md, Start step 3 and cleanup.
 */
@ApplicationScoped
public class AttemptHomes {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> MODE_0700 =
            PosixFilePermissions.asFileAttribute(PRIVATE);

    @Inject
    private Host host;

    /** The attempt's own home, made if it is not there. */
    public Path createAttemptHome(Attempt attempt) throws IOException {
        return createPrivate(layout().root(), layout().attemptHome(attempt.attemptKey()));
    }

    /** The retained home of the attempt's session, made at its first use. */
    public Path createSessionHome(Attempt attempt) throws IOException {
        return createPrivate(layout().root(), layout().sessionHome(attempt.sessionKey()));
    }

    /** Removes the attempt's directory; one that is already gone is gone. The session's home stays. */
    public void removeAttemptHome(Attempt attempt) throws IOException {
        removeTree(layout().attemptHome(attempt.attemptKey()).getParent());
    }

    /** Removes the log directory of an attempt whose retention ended. */
    public void removeOutput(String attemptKey) throws IOException {
        removeTree(layout().outputDirectory(attemptKey));
    }

    private PlacementLayout layout() {
        return host.layout();
    }

    static Path createPrivate(Path root, Path home) throws IOException {
        Path made = root;
        for (Path name : root.relativize(home)) {
            made = made.resolve(name);
            try {
                Files.createDirectory(made, MODE_0700);
            } catch (FileAlreadyExistsException e) {
                requirePrivate(made);
            }
        }
        return home;
    }

    private static void requirePrivate(Path directory) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            throw new IOException("not a directory: " + directory);
        }
        if (!Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS).equals(PRIVATE)) {
            throw new IOException("not private: " + directory);
        }
    }

    /** Descriptor by descriptor, so that a directory that is swapped for a link leads nowhere. */
    static void removeTree(Path directory) throws IOException {
        Path parent = directory.getParent();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
            if (!(stream instanceof SecureDirectoryStream<Path> secure)) {
                throw new IOException("this file system has no descriptor-relative access");
            }
            removeEntry(secure, directory.getFileName());
        } catch (NoSuchFileException e) {
            return;
        }
    }

    private static void removeEntry(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        } catch (NoSuchFileException e) {
            return;
        }
        if (!attributes.isDirectory()) {
            deleteIfThere(() -> parent.deleteFile(name));
            return;
        }
        try (SecureDirectoryStream<Path> children = openWritable(parent, name)) {
            for (Path child : children) {
                removeEntry(children, child.getFileName());
            }
        } catch (NoSuchFileException e) {
            return;
        }
        deleteIfThere(() -> parent.deleteDirectory(name));
    }

    /** A child may have left directories without the right to enter or change them; they are ours. */
    private static SecureDirectoryStream<Path> openWritable(SecureDirectoryStream<Path> parent, Path name)
            throws IOException {
        PosixFileAttributeView view =
                parent.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!view.readAttributes().permissions().containsAll(PRIVATE)) {
            // The descriptor-relative view cannot change a mode without following: only inside our private root.
            parent.getFileAttributeView(name, PosixFileAttributeView.class).setPermissions(PRIVATE);
        }
        return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    }

    private interface Deletion {
        void run() throws IOException;
    }

    private static void deleteIfThere(Deletion deletion) throws IOException {
        try {
            deletion.run();
        } catch (NoSuchFileException e) {
            // Another call removed it first: gone is gone.
            return;
        }
    }
}
