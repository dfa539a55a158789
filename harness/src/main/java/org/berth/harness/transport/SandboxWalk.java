package org.berth.harness.transport;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One path of the sandbox, walked name by name on the host's disk. A link is followed at once, and what it leads to must lie
 * in a mount; {@code ..} after it goes on from there.
 */
final class SandboxWalk {
    private final PathMap map;
    private List<String> names = new ArrayList<>();
    /** Real place of {@code names}; null where the sandbox has directories that this host does not see. */
    private Path host;

    private SandboxWalk(PathMap map) {
        this.map = map;
        this.host = mountHere().orElse(null);
    }

    static Located locate(PathMap map, String path, String directory) {
        if (path.startsWith("~")) {
            return new Located.Outside(path, "it is relative to the sandbox's home");
        }
        boolean absolute = path.startsWith("/");
        if (!absolute && !directory.startsWith("/")) {
            return new Located.Outside(path, "it is relative to no directory");
        }
        try {
            return new SandboxWalk(map).walk(path, absolute ? path : directory + "/" + path);
        } catch (InvalidPathException e) {
            return new Located.Outside(path, "it is no path on this host");
        }
    }

    private Located walk(String given, String full) {
        for (String name : SandboxPath.names(full)) {
            boolean inside = name.equals("..") ? up() : down(name);
            if (!inside) {
                return new Located.Outside(given, "a link leads out of every shared directory");
            }
        }
        return host == null
                ? new Located.Outside(given, "no shared directory holds it")
                : new Located.Inside(host, SandboxPath.join(names));
    }

    private boolean down(String name) {
        names.add(name);
        Optional<Path> mounted = mountHere();
        if (mounted.isPresent()) {
            host = mounted.get();
            return true;
        }
        if (host == null) {
            return true;
        }
        Path next = host.resolve(name);
        return Files.isSymbolicLink(next) ? moveTo(PhysicalPath.resolve(next)) : moveTo(next);
    }

    private boolean moveTo(Path next) {
        host = next;
        return true;
    }

    private boolean moveTo(Optional<Path> target) {
        Optional<String> name = target.flatMap(map::toSandbox);
        if (name.isEmpty()) {
            return false;
        }
        host = target.get();
        names = new ArrayList<>(SandboxPath.names(name.get()));
        return true;
    }

    private boolean up() {
        if (host != null && map.at(names).isEmpty()) {
            host = host.getParent();
            names.removeLast();
            return true;
        }
        List<String> above = names.isEmpty() ? names : names.subList(0, names.size() - 1);
        SandboxWalk parent = new SandboxWalk(map);
        for (String name : above) {
            if (!parent.down(name)) {
                return false;
            }
        }
        names = parent.names;
        host = parent.host;
        return true;
    }

    private Optional<Path> mountHere() {
        return map.at(names).flatMap(mount -> PhysicalPath.resolve(mount.host()));
    }
}
