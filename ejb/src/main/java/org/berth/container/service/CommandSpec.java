package org.berth.container.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.container.ContainerMount;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerSettings;

/** A plan as arguments of {@code create}. No value of a variable is among them. Source: placement.md, Container backend. */
final class CommandSpec {
    private CommandSpec() {}

    /**
     * @param variables the file of {@code NAME=value} lines; a value of several lines is taken from the command's own
     *     environment instead
     * @param user uid and gid of the server's user
     * @param podman whether the command line is Podman's, which has a few options more
     */
    static List<String> create(ContainerPlan plan, Path variables, String user, boolean podman) {
        ContainerSettings settings = plan.settings();
        List<String> argv = new ArrayList<>(List.of("create", "--name", plan.name(), "--pull", "never"));
        argv.addAll(List.of("--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"));
        argv.addAll(List.of("--restart", "no", "--stop-signal", "TERM", "--log-driver", "none"));
        argv.addAll(List.of("--network", settings.network()));
        argv.addAll(List.of("--memory", settings.memoryBytes() + "b"));
        argv.addAll(List.of("--cpus", decimal(settings.cpuMillis())));
        argv.addAll(List.of("--pids-limit", Integer.toString(settings.pids())));
        argv.addAll(List.of("--tmpfs", "/tmp:rw,nosuid,nodev,mode=1777,size=" + settings.tmpBytes()));
        if (podman) {
            argv.addAll(List.of("--http-proxy=false", "--image-volume", "ignore", "--umask", "0077"));
        }
        users(argv, settings.users(), user);
        if (settings.init()) {
            argv.add("--init");
        }
        if (plan.terminal()) {
            argv.add("--tty");
        }
        if (plan.stdin()) {
            argv.add("--interactive");
        }
        plan.labels().forEach((label, value) -> argv.addAll(List.of("--label", label + "=" + value)));
        argv.addAll(List.of("--env-file", variables.toString()));
        plan.environment().forEach((name, value) -> {
            if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                argv.addAll(List.of("--env", name));
            }
        });
        for (ContainerMount mount : plan.mounts()) {
            argv.addAll(List.of("--mount", mount(mount)));
        }
        argv.addAll(List.of("--workdir", plan.workingDirectory().toString()));
        argv.addAll(List.of("--entrypoint", plan.command().getFirst(), plan.image()));
        argv.addAll(plan.command().subList(1, plan.command().size()));
        return argv;
    }

    private static void users(List<String> argv, ContainerSettings.Users users, String user) {
        switch (users) {
            case KEEP_ID -> argv.addAll(List.of("--userns", "keep-id", "--user", user));
            case SAME -> argv.addAll(List.of("--user", user));
            case ROOT -> argv.addAll(List.of("--user", "0:0"));
        }
    }

    private static String mount(ContainerMount mount) {
        return "type=bind,source=" + mount.path() + ",destination=" + mount.path()
                + (mount.writable() ? "" : ",readonly");
    }

    private static String decimal(int thousandths) {
        return java.math.BigDecimal.valueOf(thousandths, 3).toPlainString();
    }
}
