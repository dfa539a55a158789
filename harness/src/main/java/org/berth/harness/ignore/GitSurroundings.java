package org.berth.harness.ignore;

import java.nio.file.Path;
import java.util.List;

/**
 * Where git's settings of this user and this machine lie.
 *
 * @param home what {@code ~} stands for
 * @param userConfig the user's git directory ({@code $XDG_CONFIG_HOME/git}): its files config and ignore
 * @param systemConfig the machine's configuration
 */
public record GitSurroundings(Path home, Path userConfig, Path systemConfig) {
    /** Those of this process, by HOME and XDG_CONFIG_HOME. Source: git-config(1), FILES. */
    public static GitSurroundings ofProcess() {
        String home = System.getenv("HOME");
        String config = System.getenv("XDG_CONFIG_HOME");
        Path base = Path.of(home == null || home.isEmpty() ? System.getProperty("user.home") : home);
        Path user = config == null || config.isEmpty() ? base.resolve(".config") : Path.of(config);
        return new GitSurroundings(base, user.resolve("git"), Path.of("/etc/gitconfig"));
    }

    /** Configuration files, the weakest first. */
    List<Path> configurations() {
        return List.of(systemConfig, userConfig.resolve("config"), home.resolve(".gitconfig"));
    }

    /** A path of a configuration: {@code ~/} is the home, a relative one starts at {@code directory}. */
    Path resolve(String path, Path directory) {
        return path.startsWith("~/") ? home.resolve(path.substring(2)) : directory.resolve(path);
    }
}
