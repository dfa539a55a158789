package org.berth.access.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumSet;
import org.berth.access.ApiToken;
import org.berth.access.IssuedToken;
import org.berth.access.Role;
import org.berth.access.Tokens;
import org.berth.access.store.ApiTokenRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The first token, so that whoever can read the state root can begin: {@value #NAME}, mode 0600. */
public final class OwnerTokenFile {
    /** The file's name in the state root. */
    public static final String NAME = "owner.token";

    /** The owner id of who installed Berth. */
    public static final String OWNER_ID = "owner";

    private OwnerTokenFile() {}

    /**
     * Issues a token of {@value #OWNER_ID} with every role and writes it, when that owner has no operator token that
     * holds. Needs the caller's transaction. The file is durable before the row: a transaction that rolls back leaves
     * a dead token, which the next call replaces, never a row whose secret nobody has.
     *
     * @return whether a token was issued
     * @throws BerthException STORAGE when the file cannot be written
     */
    public static boolean ensure(Path stateRoot, ApiTokenRepository tokens) {
        Instant now = Instant.now();
        for (ApiToken token : tokens.list(OWNER_ID)) {
            if (token.roles().contains(Role.OPERATOR) && token.holds(now)) {
                return false;
            }
        }
        IssuedToken issued =
                Tokens.issue(new SecureRandom(), OWNER_ID, EnumSet.allOf(Role.class), "first start", now, null);
        try {
            write(stateRoot, issued.text() + "\n");
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.STORAGE, stateRoot.resolve(NAME) + " cannot be written: check the state root", e);
        }
        tokens.insert(issued.token());
        return true;
    }

    private static void write(Path stateRoot, String text) throws IOException {
        Path temporary = Files.createTempFile(
                stateRoot,
                "." + NAME + "-",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                file.force(true);
            }
            Files.move(temporary, stateRoot.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        try (FileChannel directory = FileChannel.open(stateRoot, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
