package org.berth.harness.ignore;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.jgit.lib.Config;

/**
 * A git work tree.
 *
 * @param root its top directory
 * @param gitDirectory with the index
 * @param commonDirectory with info/exclude and the configuration; another one in a linked work tree
 * @param config all settings that hold here
 */
record WorkTree(Path root, Path gitDirectory, Path commonDirectory, Config config, GitSurroundings surroundings) {
    private static final String POINTER = "gitdir:";
    private static final int SHA1_BYTES = 20;
    private static final int SHA256_BYTES = 32;

    /** The work tree around {@code directory}, a physical path; empty when there is none. */
    static Optional<WorkTree> around(Path directory, GitSurroundings surroundings) throws IOException {
        for (Path at = directory; at != null; at = at.getParent()) {
            Path git = gitDirectory(at);
            if (git != null) {
                return Optional.of(open(at, git, surroundings));
            }
        }
        return Optional.empty();
    }

    private static WorkTree open(Path root, Path git, GitSurroundings surroundings) throws IOException {
        Path pointer = git.resolve("commondir");
        Path common = Files.isRegularFile(pointer)
                ? git.resolve(Files.readString(pointer).strip()).normalize()
                : git;
        Config config = null;
        for (Path file : surroundings.configurations()) {
            config = GitConfig.read(config, file, surroundings);
        }
        config = GitConfig.read(config, common.resolve("config"), surroundings);
        return new WorkTree(root, git, common, config, surroundings);
    }

    /** Whether {@code directory} is the top of a work tree. */
    static boolean isRoot(Path directory) throws IOException {
        return gitDirectory(directory) != null;
    }

    private static Path gitDirectory(Path directory) throws IOException {
        Path git = directory.resolve(".git");
        if (Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS) && Files.size(git) <= Scope.MAX_RULE_BYTES) {
            String text = new String(Files.readAllBytes(git), StandardCharsets.UTF_8).strip();
            if (!text.startsWith(POINTER)) {
                return null;
            }
            Path target =
                    directory.resolve(text.substring(POINTER.length()).strip()).normalize();
            return isRepository(target) ? target : null;
        }
        return isRepository(git) ? git : null;
    }

    private static boolean isRepository(Path git) {
        return Files.exists(git.resolve("HEAD"), LinkOption.NOFOLLOW_LINKS)
                && (Files.isDirectory(git.resolve("objects")) || Files.exists(git.resolve("commondir")));
    }

    /** What git tracks below {@code prefix}, a path from the root or empty. */
    GitIndex index(String prefix) throws IOException {
        int hashBytes = "sha256".equalsIgnoreCase(config.getString("extensions", null, "objectformat"))
                ? SHA256_BYTES
                : SHA1_BYTES;
        return GitIndex.read(gitDirectory.resolve("index"), hashBytes, prefix);
    }

    /** The rules that hold before any .gitignore: the user's, and over them those of info/exclude. */
    Scope outerRules() throws IOException {
        String named = config.getString("core", null, "excludesfile");
        Path global = named == null ? surroundings.userConfig().resolve("ignore") : surroundings.resolve(named, root);
        Scope users = Scope.NONE.with(bytes(global), "");
        return users.with(bytes(commonDirectory.resolve("info/exclude")), "");
    }

    private static byte[] bytes(Path file) throws IOException {
        return Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
    }
}
