package org.berth.harness.ignore;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;

/** One configuration file with what it includes. JGit's own class of files probes clocks and starts git; this one reads. */
final class GitConfig extends Config {
    private final Path directory;
    private final GitSurroundings surroundings;

    private GitConfig(Config weaker, Path directory, GitSurroundings surroundings) {
        super(weaker);
        this.directory = directory;
        this.surroundings = surroundings;
    }

    /** {@code file} over {@code weaker} (null for none); a missing file has no settings. */
    static Config read(Config weaker, Path file, GitSurroundings surroundings) throws IOException {
        GitConfig config = new GitConfig(weaker, file.toAbsolutePath().getParent(), surroundings);
        if (!Files.isRegularFile(file)) {
            return config;
        }
        try {
            config.fromText(Files.readString(file, StandardCharsets.UTF_8));
        } catch (ConfigInvalidException e) {
            throw new IOException("git's configuration " + file + " cannot be read: " + e.getMessage(), e);
        }
        return config;
    }

    @Override
    protected byte[] readIncludedConfig(String path) throws ConfigInvalidException {
        Path file = surroundings.resolve(path, directory);
        try {
            return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
        } catch (IOException e) {
            throw new ConfigInvalidException("cannot read " + file, e);
        }
    }
}
