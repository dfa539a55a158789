package org.berth.environment.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.environment.EnvironmentRules;

/**
 * The same view as {@link BubblewrapArguments} for hosts without bubblewrap: a script that unshare runs as the first
 * process of its namespaces. It mounts what the guest sees, turns its root, and starts the helper as an ordinary user of a
 * second user namespace that owns none of it. Every path is quoted and none comes from inside. Source: unshare(1),
 * pivot_root(8), user_namespaces(7).
 */
final class UnshareScript {
    /** unshare's own arguments. */
    static final List<String> ARGUMENTS = List.of(
            "--user",
            "--map-root-user",
            "--pid",
            "--fork",
            "--mount",
            "--propagation",
            "private",
            "--net",
            "--ipc",
            "--uts",
            "--cgroup");

    /** What the script runs. */
    static final List<String> PROGRAMS =
            List.of("unshare", "mount", "umount", "pivot_root", "ip", "setpriv", "hostname", "mkdir", "ln", "touch");

    private static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");

    private final Path root;
    private final List<String> lines = new ArrayList<>();

    private UnshareScript(Path root) {
        this.root = root;
    }

    /** @param root an empty directory where the view is put together */
    static String of(GuestView view, Path root) {
        return new UnshareScript(root).text(view);
    }

    private String text(GuestView view) {
        lines.add("#!/bin/sh");
        lines.add("# The whole file is one function, so that it is read before the root is turned.");
        lines.add("enter() {");
        lines.add("set -eu");
        lines.add("umask 022");
        lines.add("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
        lines.add("ip link set lo up");
        lines.add("hostname " + quoted(view.hostname()));
        tmpfs("", "rw");
        system(view);
        tmpfs("/etc", "rw");
        view.etc().forEach((name, file) -> bind(file, "/etc/" + name));
        readOnly("/etc");
        directory("/proc");
        lines.add("mount -t proc -o nosuid,nodev,noexec proc " + inside("/proc"));
        devices();
        tmpfs("/tmp", view.writableTmp() ? "rw" : "ro");
        tmpfs("/run", "rw");
        bind(view.channel(), GuestView.CHANNEL);
        readOnly("/run");
        directory("/var");
        lines.add("ln -s ../tmp " + inside("/var/tmp"));
        bind(view.image(), GuestView.IMAGE);
        view.data().forEach(path -> bind(Path.of(path), path));
        directory(EnvironmentRules.GUEST_ROOT);
        lines.add("mount --bind " + quoted(view.tree().toString()) + " " + inside(EnvironmentRules.GUEST_ROOT));
        lines.add("mount -o remount,bind,nosuid,nodev " + inside(EnvironmentRules.GUEST_ROOT));
        directory("/.host");
        lines.add("cd " + inside(""));
        lines.add("pivot_root . .host");
        lines.add("cd /");
        lines.add("umount -l /.host");
        lines.add("rmdir /.host");
        lines.add("mount -o remount,bind,ro,nosuid,nodev /");
        lines.add("cd " + EnvironmentRules.GUEST_ROOT);
        lines.add("PATH=/usr/local/bin:/usr/bin:/bin");
        lines.add("set +e");
        lines.add("unshare --user --map-user=" + GuestView.UID + " --map-group=" + GuestView.UID
                + " --keep-caps setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs "
                + GuestView.HELPER + " \"$@\" &");
        lines.add("wait $!");
        lines.add("exit $?");
        lines.add("}");
        lines.add("enter \"$@\"");
        return String.join("\n", lines) + "\n";
    }

    private void system(GuestView view) {
        view.system().bound().forEach(path -> bind(Path.of(path), path));
        view.system().links().forEach((path, target) -> lines.add("ln -s " + quoted(target) + " " + inside(path)));
        String localBin = view.system().localBin();
        lines.add("mount -t tmpfs -o rw,nosuid,nodev,mode=755 tmpfs " + inside(localBin));
        bind(view.program(), GuestView.AGENT);
        readOnly(localBin);
    }

    private void devices() {
        tmpfs("/dev", "rw");
        for (String name : DEVICES) {
            lines.add("touch " + inside("/dev/" + name));
            lines.add("mount --bind /dev/" + name + " " + inside("/dev/" + name));
        }
        directory("/dev/pts");
        lines.add("mount -t devpts -o newinstance,ptmxmode=0666,mode=620,nosuid,noexec devpts " + inside("/dev/pts"));
        lines.add("ln -s pts/ptmx " + inside("/dev/ptmx"));
        lines.add("ln -s /proc/self/fd " + inside("/dev/fd"));
        lines.add("ln -s /proc/self/fd/0 " + inside("/dev/stdin"));
        lines.add("ln -s /proc/self/fd/1 " + inside("/dev/stdout"));
        lines.add("ln -s /proc/self/fd/2 " + inside("/dev/stderr"));
        tmpfs("/dev/shm", "rw");
        readOnly("/dev");
    }

    private void bind(Path source, String target) {
        String from = quoted(source.toString());
        lines.add("if [ -d " + from + " ]; then mkdir -p " + inside(target) + "; else mkdir -p "
                + inside(Path.of(target).getParent().toString()) + "; touch " + inside(target) + "; fi");
        lines.add("mount --bind " + from + " " + inside(target));
        readOnly(target);
    }

    private void tmpfs(String target, String mode) {
        directory(target);
        lines.add("mount -t tmpfs -o " + mode + ",nosuid,nodev,mode=755 tmpfs " + inside(target));
    }

    private void readOnly(String target) {
        lines.add("mount -o remount,bind,ro,nosuid,nodev " + inside(target));
    }

    private void directory(String target) {
        lines.add("mkdir -p " + inside(target));
    }

    private String inside(String target) {
        return quoted(root + target);
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
