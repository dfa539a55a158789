package org.berth.harness.service;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.harness.transport.KernelTransport;

/**
 * The file of a session's names, as one kernel of it may use it. The kernel writes it, in one step and with mode 0600; it may
 * hold secrets of the user's program, so nothing of it is ever logged. Source: harness.md, S3: the namespace snapshot of a
 * wrapped kernel is written at the sandbox path of the snapshot file.
 *
 * @param file in the session's own directory; need not exist
 * @param inKernel how the kernel names it; empty when it does not see it, and then there is no snapshot
 */
record NamespaceSnapshot(Path file, Optional<String> inKernel) {
    private static final Logger LOG = Logger.getLogger(NamespaceSnapshot.class.getName());

    static final String FILE = "namespace.snapshot";

    /** What the file is called once it could not be read; one of them is kept. */
    static final String UNREADABLE = FILE + ".unreadable";

    /** A file that a kernel did not finish. Source: guest-helper/kernel, snapshots.py. */
    static final String UNFINISHED = ".snapshot-*";

    /** @param directory the session's own */
    static NamespaceSnapshot of(Path directory, KernelTransport transport) {
        Path file = directory.resolve(FILE);
        return new NamespaceSnapshot(file, transport.kernelPath(file));
    }

    /** What a new kernel is to restore. Files that an ended kernel did not finish are gone after this. */
    Optional<String> toRestore() {
        if (inKernel.isEmpty()) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> unfinished = Files.newDirectoryStream(file.getParent(), UNFINISHED)) {
            for (Path each : unfinished) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(Level.WARNING, "the unfinished snapshots of " + file.getParent() + " could not be removed", e);
        }
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? inKernel : Optional.empty();
    }

    /** Takes a file out of the way that keeps a kernel from its work. @return what became of it, for a sentence */
    String setAside() {
        try {
            Files.move(file, file.resolveSibling(UNREADABLE), StandardCopyOption.REPLACE_EXISTING);
            return "it is set aside as " + file.resolveSibling(UNREADABLE);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the snapshot " + file + " could not be set aside", e);
            return "it could not be set aside";
        }
    }
}
