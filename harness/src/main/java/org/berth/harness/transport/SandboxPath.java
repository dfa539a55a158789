package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Text form of paths in a sandbox, whose file system this host does not see: POSIX, always with slashes. */
final class SandboxPath {
    private SandboxPath() {}

    /** The names of a path; empty ones and {@code .} are left out, {@code ..} stays. */
    static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        for (String name : path.split("/")) {
            if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return names;
    }

    /** The absolute path of these names; no names are the root. */
    static String join(List<String> names) {
        return names.contains("..") ? "" : "/" + String.join("/", names);
    }

    /** {@code point} and below it the names of {@code rest}, a relative host path. */
    static String join(List<String> point, Path rest) {
        List<String> names = new ArrayList<>(point);
        names.addAll(names(rest.toString()));
        return join(names);
    }
}
