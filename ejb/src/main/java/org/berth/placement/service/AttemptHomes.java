package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.berth.files.Trees;
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
        Trees.remove(layout().attemptHome(attempt.attemptKey()).getParent());
    }

    /** Removes the log directory of an attempt whose retention ended. */
    public void removeOutput(String attemptKey) throws IOException {
        Trees.remove(layout().outputDirectory(attemptKey));
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
}
