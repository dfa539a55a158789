package org.berth.environment.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Set;
import org.berth.environment.EnvironmentRules;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * One regular file of at most {@value EnvironmentRules#FILE_BYTES} bytes below a directory, reached one component at a
 * time by descriptor and without following a link. Source: the reference's {@code regularBytes}.
 */
final class BoundedFile {
    private final Path root;
    private final Path file;

    /** @param file below {@code root}, which is a physical path */
    BoundedFile(Path root, Path file) {
        this.root = root;
        this.file = file;
    }

    /** @throws BerthException environment_symlink, invalid_environment_file, environment_file_changed */
    byte[] read() {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
            if (!(stream instanceof SecureDirectoryStream<Path> directory)) {
                throw invalid("lies on a file system without descriptor-relative access");
            }
            return read(directory, root.relativize(file), 0);
        } catch (NoSuchFileException e) {
            throw invalid("does not exist");
        } catch (IOException e) {
            throw invalid("cannot be read");
        }
    }

    private byte[] read(SecureDirectoryStream<Path> directory, Path relative, int depth) throws IOException {
        Path name = relative.getName(depth);
        BasicFileAttributes seen = attributes(directory, name);
        if (seen.isSymbolicLink()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SYMLINK, "The host file " + file + " is reached through a symbolic link.");
        }
        if (depth == relative.getNameCount() - 1) {
            return content(directory, name, seen);
        }
        if (!seen.isDirectory()) {
            throw invalid("does not exist");
        }
        try (SecureDirectoryStream<Path> next = directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            return read(next, relative, depth + 1);
        }
    }

    private byte[] content(SecureDirectoryStream<Path> directory, Path name, BasicFileAttributes seen)
            throws IOException {
        if (!seen.isRegularFile() || seen.size() > EnvironmentRules.FILE_BYTES) {
            throw invalid("is no regular file of at most " + EnvironmentRules.FILE_BYTES + " bytes");
        }
        ByteBuffer bytes = ByteBuffer.allocate(EnvironmentRules.FILE_BYTES + 1);
        try (SeekableByteChannel channel =
                directory.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            int count = 0;
            while (count >= 0 && bytes.hasRemaining()) {
                count = channel.read(bytes);
            }
        }
        BasicFileAttributes after = attributes(directory, name);
        boolean same = after.fileKey().equals(seen.fileKey())
                && after.size() == seen.size()
                && after.lastModifiedTime().equals(seen.lastModifiedTime());
        if (!same || bytes.position() != seen.size()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_FILE_CHANGED, "The host file " + file + " changed while it was read.");
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private BerthException invalid(String fault) {
        return new BerthException(ProblemCode.INVALID_ENVIRONMENT_FILE, "The host file " + file + " " + fault + ".");
    }
}
