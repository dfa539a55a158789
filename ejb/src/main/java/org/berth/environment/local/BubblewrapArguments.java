package org.berth.environment.local;

import java.util.ArrayList;
import java.util.List;
import org.berth.environment.EnvironmentRules;

/**
 * bubblewrap's arguments for a view. No secret is among them, and without {@code --die-with-parent} the environment
 * outlives supervisor and server. Source: bwrap(1); facts on agents, inside a bubblewrap namespace.
 */
final class BubblewrapArguments {
    private BubblewrapArguments() {}

    /** Namespaces of its own, a user without capabilities. */
    static List<String> namespaces() {
        return List.of(
                "--unshare-user",
                "--uid",
                Integer.toString(GuestView.UID),
                "--gid",
                Integer.toString(GuestView.UID),
                "--unshare-pid",
                "--unshare-net",
                "--unshare-ipc",
                "--unshare-uts",
                "--unshare-cgroup-try",
                "--new-session",
                "--cap-drop",
                "ALL");
    }

    static List<String> of(GuestView view) {
        List<String> all = new ArrayList<>(namespaces());
        add(all, "--hostname", view.hostname());
        system(all, view.system());
        add(all, "--tmpfs", view.system().localBin());
        add(all, "--ro-bind", view.program().toString(), GuestView.AGENT);
        add(all, "--remount-ro", view.system().localBin());
        add(all, "--tmpfs", "/etc");
        view.etc().forEach((name, file) -> add(all, "--ro-bind", file.toString(), "/etc/" + name));
        add(all, "--remount-ro", "/etc");
        add(all, "--proc", "/proc");
        add(all, "--dev", "/dev");
        add(all, "--tmpfs", "/tmp");
        if (!view.writableTmp()) {
            add(all, "--remount-ro", "/tmp");
        }
        add(all, "--tmpfs", "/run");
        add(all, "--ro-bind", view.channel().toString(), GuestView.CHANNEL);
        add(all, "--remount-ro", "/run");
        add(all, "--symlink", "../tmp", "/var/tmp");
        add(all, "--ro-bind", view.image().toString(), GuestView.IMAGE);
        view.data().forEach(path -> add(all, "--ro-bind", path, path));
        add(all, "--bind", view.tree().toString(), EnvironmentRules.GUEST_ROOT);
        add(all, "--remount-ro", "/");
        add(all, "--chdir", EnvironmentRules.GUEST_ROOT);
        return List.copyOf(all);
    }

    /** What a program needs at least to run. */
    static void system(List<String> all, GuestView.SystemDirectories system) {
        system.bound().forEach(path -> add(all, "--ro-bind", path, path));
        system.links().forEach((path, target) -> add(all, "--symlink", target, path));
    }

    private static void add(List<String> all, String... words) {
        all.addAll(List.of(words));
    }
}
