package org.berth.harness.files;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.OsException;

/**
 * The directories whose files may be reached. A path is resolved link by link on the disk, and what it comes to must lie in
 * one of them; then it is opened from that directory without following any link, so that a link which is put in its way
 * meanwhile leads nowhere.
 *
 * @param directories absolute paths; one that is missing holds nothing
 * @param umask of new files and directories; empty for that of this process
 */
public record Roots(List<Path> directories, OptionalInt umask) {
    /** Links on one path. Source: path_resolution(7). */
    private static final int MAX_LINKS = 40;

    public Roots {
        directories = List.copyOf(directories);
    }

    /** With this process' umask. */
    public Roots(List<Path> directories) {
        this(directories, OptionalInt.empty());
    }

    /**
     * A path inside.
     *
     * @param root the physical directory that holds it
     * @param relative its physical path from there, empty for the directory itself
     */
    record Located(Path root, String relative) {
        /** The host's path. */
        Path absolute() {
            return root.resolve(relative);
        }

        String name() {
            return relative.substring(relative.lastIndexOf('/') + 1);
        }

        /** Opens the directory that holds the path. */
        Directory above() throws IOException {
            try (Directory top = Directory.open(root)) {
                return top.descend(aboveRelative());
            }
        }

        /** As {@link #above}, where missing directories are made. */
        Directory aboveMaking(OptionalInt umask) throws IOException {
            try (Directory top = Directory.open(root)) {
                return top.descendMaking(aboveRelative(), umask);
            }
        }

        /** Opens the path as a directory. */
        Directory itself() throws IOException {
            try (Directory top = Directory.open(root)) {
                return top.descend(relative);
            }
        }

        private String aboveRelative() {
            return relative.substring(0, Math.max(0, relative.lastIndexOf('/')));
        }
    }

    /**
     * Where {@code path} leads.
     *
     * @param cwd an absolute path that a relative one starts from
     * @throws FsException OUTSIDE or INVALID
     */
    Located locate(String cwd, String path) throws FsException, IOException {
        Path physical = resolve(absolute(cwd, path), path);
        Located deepest = null;
        for (Path directory : directories) {
            Path root = real(directory);
            if (root != null
                    && physical.startsWith(root)
                    && (deepest == null || root.getNameCount() > deepest.root().getNameCount())) {
                deepest = new Located(root, root.relativize(physical).toString());
            }
        }
        if (deepest == null) {
            throw new FsException(FsException.Reason.OUTSIDE, path + " is outside every shared directory");
        }
        return deepest;
    }

    private static Path real(Path directory) throws IOException {
        return Files.isDirectory(directory) ? directory.toRealPath() : null;
    }

    private static Path absolute(String cwd, String path) throws FsException {
        if (path.isEmpty()) {
            throw FsException.invalid("a path must not be empty");
        }
        if (path.startsWith("~")) {
            throw new FsException(FsException.Reason.OUTSIDE, path + " is relative to a home, which is not shared");
        }
        try {
            Path base = Path.of(cwd);
            if (!base.isAbsolute()) {
                throw FsException.invalid("cwd must be an absolute path");
            }
            return base.resolve(path);
        } catch (InvalidPathException e) {
            throw FsException.invalid("the path is not one: " + e.getReason());
        }
    }

    private static Path resolve(Path absolute, String asked) throws FsException, IOException {
        Deque<String> names = new ArrayDeque<>();
        absolute.forEach(name -> names.addLast(name.toString()));
        Path at = absolute.getRoot();
        int links = 0;
        while (!names.isEmpty()) {
            String name = names.removeFirst();
            if (name.equals(".") || name.isEmpty()) {
                continue;
            }
            if (name.equals("..")) {
                at = at.getParent() == null ? at : at.getParent();
                continue;
            }
            Path next = at.resolve(name);
            Path target = target(next);
            if (target == null) {
                at = next;
                continue;
            }
            if (++links > MAX_LINKS) {
                throw new FileSystemLoopException(asked);
            }
            if (target.isAbsolute()) {
                at = target.getRoot();
            }
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                names.addFirst(target.getName(i).toString());
            }
        }
        return at;
    }

    /** Null when {@code path} is no link. */
    private static Path target(Path path) throws IOException {
        if (!Files.isSymbolicLink(path)) {
            return null;
        }
        try {
            return Files.readSymbolicLink(path);
        } catch (NotLinkException | NoSuchFileException e) {
            return null;
        }
    }

    /** What a failure of the disk means to the caller. */
    static FsException refusal(String path, IOException failure) throws IOException {
        if (failure instanceof FileSystemLoopException) {
            return new FsException(FsException.Reason.MISSING, path + " leads through too many links");
        }
        if (failure instanceof OsException os) {
            if (os.isNoDirectory()) {
                return new FsException(
                        FsException.Reason.NOT_A_FILE, path + " leads through something that is no directory");
            }
            if (os.isMissing()) {
                return new FsException(FsException.Reason.MISSING, path + " does not exist");
            }
            if (os.isDenied()) {
                return new FsException(FsException.Reason.DENIED, path + " may not be reached by this user");
            }
            if (os.isDirectoryInTheWay()) {
                return new FsException(FsException.Reason.NOT_A_FILE, path + " is a directory");
            }
        }
        throw failure;
    }
}
