package org.berth.host.service;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Writes the policy file of a first start. */
public final class HostPolicyFile {
    private HostPolicyFile() {}

    /**
     * Writes the commented default to {@code file} with mode 0600; it loads to {@link org.berth.host.HostPolicy#DEFAULT}.
     * The file appears whole or not at all, and one that is already there is left as it is.
     *
     * @param file in an existing directory
     * @return whether this call wrote it
     * @throws BerthException STORAGE when it cannot be written
     */
    public static boolean writeDefault(Path file) {
        Path temporary = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                ByteBuffer text = ByteBuffer.wrap(defaultText());
                while (text.hasRemaining()) {
                    channel.write(text);
                }
                channel.force(true);
            }
            try {
                // A hard link never replaces, a rename would.
                Files.createLink(file, temporary);
                return true;
            } catch (FileAlreadyExistsException _) {
                return false;
            } finally {
                Files.delete(temporary);
            }
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "host policy " + file + " cannot be written", e);
        }
    }

    private static byte[] defaultText() throws IOException {
        try (InputStream text = HostPolicyFile.class.getResourceAsStream("default-host.yaml")) {
            return text.readAllBytes();
        }
    }
}
