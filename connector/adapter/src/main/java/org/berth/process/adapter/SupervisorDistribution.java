package org.berth.process.adapter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The supervisor program: shipped beside the server, run from a copy below the state root that no redeployment
 * touches.
 */
final class SupervisorDistribution {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path copies;

    /** {@code stateRoot}: BERTH_HOME. */
    SupervisorDistribution(Path stateRoot) {
        copies = stateRoot.resolve("supervisor");
    }

    /** sha256 over the names and contents of every file below {@code directory}, 64 lower-case hex digits. */
    static String digest(Path directory) throws IOException {
        if (!Files.isRegularFile(directory.resolve("berth-supervisor.jar"))) {
            throw new LocalAccessException(
                    directory,
                    "holds no berth-supervisor.jar",
                    "Set supervisorDistribution to the supervisor's directory");
        }
        MessageDigest sum = sha256();
        for (Path file : files(directory)) {
            byte[] name = directory.relativize(file).toString().getBytes(StandardCharsets.UTF_8);
            byte[] content = Files.readAllBytes(file);
            sum.update((name.length + ":" + content.length + ":").getBytes(StandardCharsets.US_ASCII));
            sum.update(name);
            sum.update(content);
        }
        return HexFormat.of().formatHex(sum.digest());
    }

    /** The first 12 hex digits of sha256 over a state root's real path. */
    static String instance(Path stateRoot) {
        byte[] sum = sha256().digest(stateRoot.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(sum, 0, 6);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .sorted(Comparator.comparing(
                            file -> directory.relativize(file).toString()))
                    .toList();
        }
    }

    /** Copies {@code directory}, whose digest is {@code build}, unless that was done before; answers the copy. */
    Path install(Path directory, String build) throws IOException {
        privateDirectory(copies);
        Path copy = copies.resolve(build);
        if (Files.isDirectory(copy, LinkOption.NOFOLLOW_LINKS)) {
            return copy;
        }
        Path fresh = Files.createTempDirectory(copies, ".copy-", PRIVATE);
        try {
            for (Path file : files(directory)) {
                Path target = fresh.resolve(directory.relativize(file).toString());
                Files.createDirectories(target.getParent(), PRIVATE);
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
            Files.move(fresh, copy, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
            delete(fresh);
        } catch (IOException e) {
            delete(fresh);
            throw e;
        }
        return copy;
    }

    /** Where the supervisor of {@code build} keeps its journal: a directory of its own, made private. */
    Path state(String build) throws IOException {
        privateDirectory(copies);
        return privateDirectory(copies.resolve(build.substring(0, 8) + "-state"));
    }

    /** What the supervisor of {@code build} prints. */
    Path console(String build) {
        return copies.resolve(build.substring(0, 8) + "-console.log");
    }

    /** The digest of the copy whose first 8 digits are {@code prefix}; null when there is none. */
    String installed(String prefix) throws IOException {
        if (!Files.isDirectory(copies)) {
            return null;
        }
        try (Stream<Path> entries = Files.list(copies)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches("[0-9a-f]{64}") && name.startsWith(prefix))
                    .findFirst()
                    .orElse(null);
        }
    }

    Path copy(String build) {
        return copies.resolve(build);
    }

    private static Path privateDirectory(Path directory) throws IOException {
        Files.createDirectories(directory, PRIVATE);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        return directory;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
