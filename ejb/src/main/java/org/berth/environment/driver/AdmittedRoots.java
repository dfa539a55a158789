package org.berth.environment.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.files.PrivateFiles;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The host directories that may hold what callers name by path. A path is admitted when it lies below one of them, as it is
 * written or as the directory's physical path has it.
 *
 * @param roots absolute; those that do not exist admit nothing
 */
record AdmittedRoots(List<Path> roots) {
    /** A path and the physical root that admits it. */
    private record Admitted(Path root, Path path) {}

    /** @throws BerthException invalid_environment_path, environment_path_denied, and those of {@link BoundedFile#read} */
    byte[] read(String path) {
        Admitted admitted = admitted(path);
        return new BoundedFile(admitted.root, admitted.path).read();
    }

    /**
     * The physical path of an admitted directory.
     *
     * @throws BerthException invalid_environment_path, environment_path_denied, environment_symlink,
     *     invalid_environment_file
     */
    Path directory(String path) {
        Admitted admitted = admitted(path);
        Path at = admitted.root;
        for (Path name : admitted.root.relativize(admitted.path)) {
            at = at.resolve(name);
            if (Files.isSymbolicLink(at)) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_SYMLINK,
                        "The host directory " + path + " is reached through a symbolic link.");
            }
        }
        if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_FILE, "The host directory " + path + " does not exist.");
        }
        return at;
    }

    /** As {@link #directory}; what is missing of it is made, private. */
    Path madeDirectory(String path) {
        Admitted admitted = admitted(path);
        Path at = admitted.root;
        for (Path name : admitted.root.relativize(admitted.path)) {
            at = at.resolve(name);
            try {
                if (Files.notExists(at, LinkOption.NOFOLLOW_LINKS)) {
                    PrivateFiles.directory(at);
                }
            } catch (IOException e) {
                throw new BerthException(
                        ProblemCode.INVALID_ENVIRONMENT_FILE, "The host directory " + path + " cannot be made.", e);
            }
        }
        return directory(path);
    }

    private Admitted admitted(String text) {
        Path path = absolute(text);
        for (Path root : roots) {
            Path physical;
            try {
                physical = root.toRealPath();
            } catch (IOException e) {
                continue;
            }
            for (Path start : List.of(root, physical)) {
                if (path.startsWith(start) && !path.equals(start)) {
                    return new Admitted(physical, physical.resolve(start.relativize(path)));
                }
            }
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_PATH_DENIED,
                "The host path " + text + " lies in no directory that this host admits ("
                        + roots.stream().map(Path::toString).collect(Collectors.joining(", "))
                        + "); an operator adds its directory to environments.roots in host.yaml and runs berth host"
                        + " reload.");
    }

    private static Path absolute(String text) {
        boolean good = text != null && text.startsWith("/") && text.indexOf('\0') < 0;
        Path path = good ? Path.of(text) : null;
        if (!good || !path.equals(path.normalize())) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_PATH, "A host path must be absolute, without . and .. parts.");
        }
        return path;
    }
}
