package org.berth.harness.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files beside a bootstrap lock: candidates, and stale locks that were set aside. The name tells the process, the last
 * line when that process started. Source: harness.md, kernel environment.
 */
final class LockLeftovers {
    private static final String CANDIDATE = ".candidate-";
    private static final String STALE = ".stale-";

    private final Path lock;
    private final Pattern name;

    LockLeftovers(Path lock) {
        this.lock = lock;
        this.name = Pattern.compile(Pattern.quote(lock.getFileName().toString()) + "\\.(?:candidate|stale)-(\\d{1,18})-"
                + "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }

    Path candidate(long pid) {
        return beside(CANDIDATE, pid);
    }

    Path stale(long pid) {
        return beside(STALE, pid);
    }

    /** Removes the files of each process that is gone. */
    void sweep() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(lock.getParent())) {
            for (Path file : files) {
                Matcher leftover = name.matcher(file.getFileName().toString());
                if (leftover.matches()
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && !alive(file, Long.parseLong(leftover.group(1)))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** A file that does not tell the start, since its process was just writing it, is that of whoever has the number. */
    private static boolean alive(Path file, long pid) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (NoSuchFileException e) {
            return false;
        }
        Optional<LockOwner> owner =
                LockOwner.of(text.substring(text.lastIndexOf('\n') + 1)).filter(each -> each.pid() == pid);
        return owner.map(LockOwner::alive).orElseGet(() -> LockOwner.exists(pid));
    }

    private Path beside(String kind, long pid) {
        return lock.resolveSibling(lock.getFileName() + kind + pid + "-" + UUID.randomUUID());
    }
}
