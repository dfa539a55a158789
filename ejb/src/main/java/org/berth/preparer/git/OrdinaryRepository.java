package org.berth.preparer.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The work tree around a directory and the commit of its head, read as files where the repository is an ordinary one: a
 * command for it costs a tenth of a setup. It answers what git would, or nothing, and git is asked: for a worktree or a
 * submodule, a format of its own, settings that move the work tree, another owner, another file system, or a head that is
 * no plain reference. Source: gitrepository-layout(5), git-config(1).
 */
final class OrdinaryRepository {
    /** More than that is not searched for one reference. */
    private static final int MOST_PACKED_BYTES = 1 << 20;

    private static final Pattern FORMAT = Pattern.compile("(?m)^\\s*repositoryformatversion\\s*=\\s*0\\s*$");
    private static final Pattern BARE = Pattern.compile("(?m)^\\s*bare\\s*=\\s*false\\s*$");
    private static final Pattern HEAD = Pattern.compile("ref: (refs/heads/[A-Za-z0-9._/-]+)\n?");
    private static final Pattern COMMIT = Pattern.compile("([0-9a-f]{40})\n?");
    private static final String UNIX = "unix:uid,dev";

    private final Path top;
    private final Path metadata;

    private OrdinaryRepository(Path top) {
        this.top = top;
        this.metadata = top.resolve(".git");
    }

    /**
     * The repository with the commit of its head, and without one of {@code fresh}.
     *
     * @param directory physical
     * @param fresh a reference that must not be there, such as {@code refs/heads/NAME}
     * @return empty where git has to be asked
     */
    static Optional<GitRepository.WithCommits> read(Path directory, String fresh) {
        try {
            OrdinaryRepository around = around(directory);
            if (around == null || !around.isOrdinary() || around.mayHave(fresh)) {
                return Optional.empty();
            }
            String subdirectory = around.top.relativize(directory).toString();
            return Optional.ofNullable(around.head())
                    .map(head -> new GitRepository.WithCommits(
                            new GitRepository(around.top, around.metadata, subdirectory), head, null));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** As git looks for it: upwards, within one file system, past nothing that could be a repository itself. */
    private static OrdinaryRepository around(Path directory) throws IOException {
        Object device = unix(directory).get("dev");
        for (Path at = directory; at != null; at = at.getParent()) {
            if (!unix(at).get("dev").equals(device) || exists(at.resolve("HEAD"))) {
                return null;
            }
            if (exists(at.resolve(".git"))) {
                return new OrdinaryRepository(at);
            }
        }
        return null;
    }

    private boolean isOrdinary() throws IOException {
        Object own = unix(Path.of("/proc/self")).get("uid");
        return Files.isDirectory(metadata, LinkOption.NOFOLLOW_LINKS)
                && Files.isDirectory(metadata.resolve("objects"), LinkOption.NOFOLLOW_LINKS)
                && Files.isDirectory(metadata.resolve("refs"), LinkOption.NOFOLLOW_LINKS)
                && !exists(metadata.resolve("commondir"))
                && unix(top).get("uid").equals(own)
                && unix(metadata).get("uid").equals(own)
                && unix(metadata).get("dev").equals(unix(top).get("dev"))
                && isPlain(text(metadata.resolve("config")));
    }

    private static boolean isPlain(String config) {
        String lower = config.toLowerCase(Locale.ROOT);
        return FORMAT.matcher(lower).results().count() == 1
                && occurrences(lower, "repositoryformatversion") == 1
                && BARE.matcher(lower).results().count() == 1
                && occurrences(lower, "bare") == 1
                && !lower.contains("worktree")
                && !lower.contains("include")
                && !lower.contains("extensions");
    }

    private static int occurrences(String text, String word) {
        return text.split(Pattern.quote(word), -1).length - 1;
    }

    private String head() throws IOException {
        String head = text(metadata.resolve("HEAD"));
        var branch = HEAD.matcher(head);
        if (!branch.matches()) {
            return commit(head);
        }
        Path loose = metadata.resolve(branch.group(1)).normalize();
        if (!loose.startsWith(metadata)) {
            return null;
        }
        return exists(loose) ? commit(text(loose)) : packed(branch.group(1));
    }

    private static String commit(String text) {
        var commit = COMMIT.matcher(text);
        return commit.matches() ? commit.group(1) : null;
    }

    /** The commit of a reference that has no file of its own; null when it is not packed. */
    private String packed(String reference) throws IOException {
        for (String line : packedReferences().split("\n")) {
            if (line.endsWith(" " + reference)) {
                return commit(line.substring(0, line.length() - reference.length() - 1));
            }
        }
        return null;
    }

    private boolean mayHave(String reference) throws IOException {
        return exists(metadata.resolve(reference)) || packedReferences().contains(reference);
    }

    private String packedReferences() throws IOException {
        Path packed = metadata.resolve("packed-refs");
        if (!exists(packed)) {
            return "";
        }
        if (Files.size(packed) > MOST_PACKED_BYTES) {
            throw new IOException("too many references to be searched");
        }
        return text(packed);
    }

    private static String text(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is no file");
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private static Map<String, Object> unix(Path path) throws IOException {
        return Files.readAttributes(path, UNIX);
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
