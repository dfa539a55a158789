package org.berth.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Private directories with what children left in them. Source: placement.md, Start step 3 and cleanup. */
public final class Trees {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private Trees() {}

    /**
     * Removes {@code directory} and all below it, descriptor by descriptor, so that a directory that is swapped for a link
     * leads nowhere; one that is already gone is gone.
     */
    public static void remove(Path directory) throws IOException {
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

    /**
     * As {@link #remove(Path)}, where the directories between {@code root} and {@code directory} may be links as well: none
     * is followed.
     *
     * @param root a physical directory above {@code directory}
     * @throws IOException also when a link is in the way
     */
    public static void remove(Path root, Path directory) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
            if (!(stream instanceof SecureDirectoryStream<Path> secure)) {
                throw new IOException("this file system has no descriptor-relative access");
            }
            remove(secure, root.relativize(directory), 0);
        } catch (NoSuchFileException e) {
            return;
        }
    }

    private static void remove(SecureDirectoryStream<Path> at, Path relative, int depth) throws IOException {
        Path name = relative.getName(depth);
        if (depth == relative.getNameCount() - 1) {
            removeEntry(at, name);
            return;
        }
        try (SecureDirectoryStream<Path> next = at.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            remove(next, relative, depth + 1);
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
