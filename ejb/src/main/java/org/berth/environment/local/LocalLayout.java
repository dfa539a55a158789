package org.berth.environment.local;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where the driver keeps what it owns. Directories of environments are named by their key, since the paths of sockets are
 * short (107 bytes, unix(7)).
 *
 * @param root absolute path of {@code $BERTH_HOME/environments}
 */
record LocalLayout(Path root) {
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{32}");

    /** One private JSON file for each environment, outside what guests see. */
    Path metadata() {
        return root.resolve("metadata");
    }

    /** Agent programs by digest. */
    Path programs() {
        return root.resolve("programs");
    }

    /** Everything of one environment but its metadata. */
    Path environment(String key) {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("not a key: " + key);
        }
        return root.resolve(key);
    }

    /** The guest root's files. */
    Path tree(String key) {
        return environment(key).resolve("tree");
    }

    /** Where the supervisor listens; the guest sees it read-only. */
    Path channel(String key) {
        return environment(key).resolve("channel");
    }

    /** The files of the guest's own {@code /etc}. */
    Path etc(String key) {
        return environment(key).resolve("etc");
    }

    /** What makes the guest's view where bubblewrap does not. */
    Path script(String key) {
        return environment(key).resolve("enter");
    }

    /** Where that view is put together. */
    Path root(String key) {
        return environment(key).resolve("root");
    }

    /** What the helper itself says. */
    Path log(String key) {
        return environment(key).resolve("log");
    }

    /** What the environment was not let out to. */
    Path refusals(String key) {
        return environment(key).resolve("refusals.log");
    }
}
