package org.berth.harness.files;

import java.time.Duration;

/**
 * Bounds of file requests.
 *
 * @param fileBytes the largest file that is read, searched or written
 * @param replyBytes text of one reply, in UTF-8
 * @param replyLines lines of one {@code fs.read}
 * @param results matches or paths of one reply
 * @param lineCharacters characters of a matching line
 * @param searchTime how long a search may take
 */
public record FileLimits(
        int fileBytes, int replyBytes, int replyLines, int results, int lineCharacters, Duration searchTime) {
    /** Source: harness.md, S2, for bytes and lines; the others are own choices. */
    public static final FileLimits DEFAULT = new FileLimits(32 << 20, 51_200, 2000, 1000, 500, Duration.ofSeconds(10));
}
