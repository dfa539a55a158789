package org.berth.preparer.service;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a prepared launch works.
 *
 * @param workingDirectory physical path
 * @param writable whether the launch may write the working directory
 * @param writableRoots physical paths that preparers contributed, each inside a write root or a directory of Berth's own
 *     that stands for one; none lies below another or below the working directory
 */
public record Directories(Path workingDirectory, boolean writable, List<Path> writableRoots) {
    public Directories {
        List<Path> all = List.copyOf(writableRoots);
        writableRoots = all.stream()
                .distinct()
                .filter(root -> !root.startsWith(workingDirectory))
                .filter(root -> all.stream().noneMatch(other -> !root.equals(other) && root.startsWith(other)))
                .toList();
    }
}
