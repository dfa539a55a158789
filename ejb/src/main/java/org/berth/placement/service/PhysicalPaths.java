package org.berth.placement.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.placement.ResolvedResource;

/** Paths with every link and parent component resolved, as the kernel sees them. */
public final class PhysicalPaths {
    private PhysicalPaths() {}

    /** The real path of {@code path}, or of its nearest existing ancestor with the rest appended. */
    public static Path physical(Path path) {
        Path normal = path.toAbsolutePath().normalize();
        for (Path existing = normal; existing != null; existing = existing.getParent()) {
            try {
                return existing.toRealPath().resolve(existing.relativize(normal));
            } catch (IOException e) {
                // Not there, or not to be looked at: its parent tells where it would lie.
                continue;
            }
        }
        return normal;
    }

    /** The directory that a resource stands for, still inside its root; empty when it is gone or leads outside. */
    public static Optional<Path> directory(ResolvedResource resource) {
        try {
            Path root = Path.of(resource.root()).toRealPath();
            Path directory = root.resolve(resource.subpath()).toRealPath();
            return directory.startsWith(root) && Files.isDirectory(directory)
                    ? Optional.of(directory)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
