package org.berth.preparer.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The directories of a launch while its preparers work on them: whatever one answers is resolved as the kernel sees it and
 * refused outside the write roots and what stands for one. Source: placement.md, Preparers.
 */
final class PreparedDirectories {
    private final List<Path> writeRoots;
    private final Predicate<Path> ownCopy;
    private final List<Path> derivedRoots = new ArrayList<>();
    private final List<Path> writableRoots = new ArrayList<>();
    private Path workingDirectory;

    /** {@code ownCopy}: whether a physical path lies in a copy of Berth's own. */
    PreparedDirectories(Path workingDirectory, List<Path> writeRoots, Predicate<Path> ownCopy) {
        this.workingDirectory = workingDirectory;
        this.writeRoots = writeRoots;
        this.ownCopy = ownCopy;
    }

    Path workingDirectory() {
        return workingDirectory;
    }

    /** Takes over what {@code preparer} made. @throws BerthException DENIED */
    void take(String preparer, WorkdirPreparer.Setup setup) {
        for (Path root : setup.derivedRoots()) {
            Path physical = physical(preparer, root);
            if (!ownCopy.test(physical)) {
                throw denied(preparer, "a derived root that is no copy of Berth's own");
            }
            derivedRoots.add(physical);
        }
        for (Path root : setup.writableRoots()) {
            writableRoots.add(inside(preparer, root, "a writable root"));
        }
        if (setup.workingDirectory() != null) {
            workingDirectory = inside(preparer, setup.workingDirectory(), "a working directory");
        }
    }

    Directories now() {
        return new Directories(workingDirectory, isInside(workingDirectory), writableRoots);
    }

    private Path inside(String preparer, Path path, String what) {
        Path physical = physical(preparer, path);
        if (!isInside(physical)) {
            throw denied(preparer, what + " outside the launch's write grants");
        }
        return physical;
    }

    private boolean isInside(Path physical) {
        return writeRoots.stream().anyMatch(physical::startsWith)
                || derivedRoots.stream().anyMatch(physical::startsWith);
    }

    private static Path physical(String preparer, Path path) {
        try {
            Path physical = path.toRealPath();
            if (path.isAbsolute() && Files.isDirectory(physical)) {
                return physical;
            }
        } catch (IOException e) {
            throw new BerthException(ProblemCode.DENIED, sentence(preparer, "a directory that is not there"), e);
        }
        throw denied(preparer, "a path that is no absolute path of a directory");
    }

    private static BerthException denied(String preparer, String what) {
        return new BerthException(ProblemCode.DENIED, sentence(preparer, what));
    }

    private static String sentence(String preparer, String what) {
        return "the preparer " + preparer + " answered " + what;
    }
}
