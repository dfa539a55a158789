package org.berth.environment.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.files.PrivateFiles;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Agent programs, copied once into a private directory under the name of their digest. Environments see the copy, so that
 * an update of the original changes none of them. For any thread. Source: environments.md, Images.
 */
final class AgentStore {
    private static final int CHUNK = 1 << 20;
    private static final String DIGEST = "@sha256:";

    private final Path directory;
    private final Map<Path, State> verified = new ConcurrentHashMap<>();

    AgentStore(Path directory) {
        this.directory = directory;
    }

    /** What the kernel tells of a file; a change of its bytes changes it. */
    private record State(Object key, long size, FileTime modified, Object changed) {
        static State of(Path file) throws IOException {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                throw new IOException("no regular file: " + file);
            }
            return new State(
                    attributes.fileKey(),
                    attributes.size(),
                    attributes.lastModifiedTime(),
                    Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS));
        }
    }

    /**
     * The verified copy of the program that {@code image} names, made if there is none.
     *
     * @param image {@code <absolute path>@sha256:<digest>}
     * @throws BerthException invalid_environment_path, invalid_environment_file
     */
    Path program(String image) {
        int at = image.lastIndexOf(DIGEST);
        Path source = at > 0 && image.startsWith("/") ? Path.of(image.substring(0, at)) : null;
        if (source == null) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_PATH,
                    400,
                    "placement.image of a local environment is the absolute path of the agent program, @sha256: and its"
                            + " digest.");
        }
        String digest = image.substring(at + DIGEST.length());
        Path copy = directory.resolve(digest);
        try {
            PrivateFiles.directory(directory);
            if (Files.notExists(copy, LinkOption.NOFOLLOW_LINKS)) {
                copy(source, digest, copy);
            }
            verify(copy, digest);
            return copy;
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_FILE, "The agent program " + source + " cannot be copied.", e);
        }
    }

    private void verify(Path copy, String digest) throws IOException {
        State now = State.of(copy);
        if (now.equals(verified.get(copy))) {
            return;
        }
        MessageDigest sum = sha256();
        try (InputStream in = Files.newInputStream(copy, LinkOption.NOFOLLOW_LINKS)) {
            byte[] chunk = new byte[CHUNK];
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                sum.update(chunk, 0, count);
            }
        }
        if (!HexFormat.of().formatHex(sum.digest()).equals(digest)) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_FILE,
                    "The kept agent program " + copy + " was changed; remove it, so that it is copied again.");
        }
        verified.put(copy, now);
    }

    private void copy(Path source, String digest, Path copy) throws IOException {
        if (!Files.isRegularFile(source) || !Files.isReadable(source)) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_FILE, "The agent program " + source + " is no readable file.");
        }
        Path temporary = directory.resolve("." + UUID.randomUUID());
        try {
            MessageDigest sum = sha256();
            try (InputStream in = Files.newInputStream(source);
                    FileChannel out = FileChannel.open(
                            temporary,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))) {
                byte[] chunk = new byte[CHUNK];
                for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                    sum.update(chunk, 0, count);
                    ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, count);
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                }
                out.force(true);
            }
            if (!HexFormat.of().formatHex(sum.digest()).equals(digest)) {
                throw new BerthException(
                        ProblemCode.INVALID_ENVIRONMENT_FILE,
                        "The agent program " + source + " does not hash to the digest of placement.image.");
            }
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("r-x------"));
            Files.move(temporary, copy, StandardCopyOption.ATOMIC_MOVE);
            verified.put(copy, State.of(copy));
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
