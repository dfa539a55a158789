package org.berth.placement;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.problem.BerthException;

/** Finds the file that {@code launch.executable} names. Reads the file system, changes nothing. */
public final class ExecutableResolver {
    private ExecutableResolver() {}

    /**
     * The absolute path of {@code executable}: itself when it is absolute, else the first executable regular file of
     * that name in the directories of {@code path}. Symbolic links stay as they are named; many programs choose what
     * to do by the name they were called by.
     *
     * @param path absolute directories in order
     * @throws BerthException INVALID when the name can name no program; NOT_FOUND when no place holds one
     */
    public static Path resolve(String executable, List<String> path) {
        if (executable.isEmpty()) {
            throw BerthException.invalid("launch.executable must not be empty");
        }
        if (executable.indexOf('\0') >= 0) {
            throw BerthException.invalid("launch.executable must not contain NUL");
        }
        if (executable.startsWith("/")) {
            Path absolute = parse(executable);
            String fault = fault(absolute);
            if (fault != null) {
                throw BerthException.notFound("launch.executable " + executable + " " + fault);
            }
            return absolute;
        }
        if (executable.indexOf('/') >= 0 || executable.equals(".") || executable.equals("..")) {
            throw BerthException.invalid(
                    "launch.executable must be an absolute path or a bare name, which " + executable + " is not");
        }
        List<String> looked = new ArrayList<>();
        for (String directory : path) {
            Path candidate = parse(directory).resolve(executable);
            String fault = fault(candidate);
            if (fault == null) {
                return candidate;
            }
            looked.add(candidate + " " + fault);
        }
        throw BerthException.notFound("launch.executable " + executable + " is not on this host's path: "
                + (looked.isEmpty() ? "the path is empty" : String.join(", ", looked)));
    }

    private static Path parse(String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException _) {
            throw BerthException.invalid("launch.executable must be a path that this host can name");
        }
    }

    private static String fault(Path file) {
        if (!Files.exists(file)) {
            return "does not exist";
        }
        if (Files.isDirectory(file)) {
            return "is a directory";
        }
        if (!Files.isRegularFile(file)) {
            return "is not a regular file";
        }
        return Files.isExecutable(file) ? null : "is not executable by this user";
    }
}
