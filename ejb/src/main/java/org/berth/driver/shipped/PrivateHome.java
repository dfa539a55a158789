package org.berth.driver.shipped;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Looks for names in a private home; opens no file and follows no link. */
final class PrivateHome {
    private PrivateHome() {}

    /**
     * Whether some path below {@code directory} fits.
     *
     * @param directory below the home, by its parts
     * @param depth how many directories lie between it and the path; 0 for its own entries
     * @return false also where a directory is absent, a link or unreadable
     */
    static boolean holds(Path home, String directory, int depth, Predicate<Path> fits) {
        Path path = home;
        for (Path part : Path.of(directory)) {
            path = path.resolve(part);
            if (!isDirectory(path)) {
                return false;
            }
        }
        return contains(path, depth, fits);
    }

    private static boolean contains(Path directory, int depth, Predicate<Path> fits) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (depth == 0 ? fits.test(entry) : isDirectory(entry) && contains(entry, depth - 1, fits)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            return false;
        }
    }

    static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isFile(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    static String name(Path path) {
        return path.getFileName().toString();
    }
}
