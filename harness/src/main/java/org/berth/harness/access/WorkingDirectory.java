package org.berth.harness.access;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.problem.BerthException;

/**
 * The directory that a session works in: the one its create names, or on a reopen that names none the recorded one. Nothing
 * ever stands in for a missing one. Source: harness.md, Sessions and Local access.
 */
public final class WorkingDirectory {
    private WorkingDirectory() {}

    /**
     * Answers the directory as it was given, once it is known to be one.
     *
     * @param named by the caller, an absolute path; empty or an empty text for none
     * @param recorded by the session that is opened again; empty for a create
     * @throws BerthException INVALID: {@code a session needs a working directory}, {@code working directory <path> is gone},
     *     {@code working directory <path> is not a directory}, or {@code working directory <path> is not an absolute path},
     *     which would start from the server's own directory
     */
    public static Path require(Optional<String> named, Optional<String> recorded) {
        String given = named.filter(text -> !text.isEmpty())
                .or(() -> recorded)
                .orElseThrow(() -> BerthException.invalid("a session needs a working directory"));
        Path path = absolute(given);
        if (!Files.exists(path)) {
            throw BerthException.invalid("working directory " + given + " is gone");
        }
        if (!Files.isDirectory(path)) {
            throw BerthException.invalid("working directory " + given + " is not a directory");
        }
        return path;
    }

    private static Path absolute(String given) {
        try {
            Path path = Path.of(given);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw BerthException.invalid("working directory is not a path: " + e.getReason());
        }
        throw BerthException.invalid("working directory " + given + " is not an absolute path");
    }
}
