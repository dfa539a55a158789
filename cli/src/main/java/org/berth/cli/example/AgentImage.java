package org.berth.cli.example;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.berth.cli.Failure;

/** How the driver {@code local} names an agent program. Source: environments.md, The local driver in detail. */
public final class AgentImage {
    private static final int BUFFER = 1 << 20;

    private AgentImage() {}

    /** {@code PATH@sha256:DIGEST} of an executable file, links followed. @throws Failure when it is none */
    public static String of(Path program) {
        try {
            Path real = program.toRealPath();
            if (!Files.isRegularFile(real) || !Files.isExecutable(real)) {
                throw Failure.failed("The agent program " + program + " is no executable file.", null);
            }
            return real + "@sha256:" + sha256(real);
        } catch (IOException e) {
            throw Failure.failed("The agent program " + program + " cannot be read.", "Name the program's own file.");
        }
    }

    /** The file's digest, 64 hex digits. */
    public static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[BUFFER];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
