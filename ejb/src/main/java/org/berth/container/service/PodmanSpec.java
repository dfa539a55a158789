package org.berth.container.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.container.ContainerMount;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerSettings;

/** A plan as the body of Podman's create. Source: placement.md, Container backend; facts on Podman's REST interface. */
final class PodmanSpec {
    private static final int TERM = 15;
    private static final long PERIOD_MICROS = 100_000;
    private static final long MICROS_PER_MILLI_CPU = PERIOD_MICROS / 1000;

    private PodmanSpec() {}

    /** @param user uid and gid of the server's user */
    static Map<String, Object> of(ContainerPlan plan, String user) {
        ContainerSettings settings = plan.settings();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("name", plan.name());
        spec.put("image", plan.image());
        spec.put("entrypoint", plan.command().subList(0, 1));
        spec.put("command", plan.command().subList(1, plan.command().size()));
        spec.put("env", plan.environment());
        spec.put("labels", plan.labels());
        spec.put("terminal", plan.terminal());
        spec.put("stdin", plan.stdin());
        spec.put("work_dir", plan.workingDirectory().toString());
        spec.put("read_only_filesystem", true);
        spec.put("cap_drop", List.of("ALL"));
        spec.put("no_new_privileges", true);
        spec.put("image_volume_mode", "ignore");
        spec.put("httpproxy", false);
        spec.put("umask", "0077");
        spec.put("restart_policy", "no");
        spec.put("stop_signal", TERM);
        spec.put("log_configuration", Map.of("driver", "none"));
        spec.put("init", settings.init());
        network(spec, settings.network());
        users(spec, settings.users(), user);
        spec.put("resource_limits", limits(settings));
        spec.put("mounts", mounts(plan));
        return spec;
    }

    private static void network(Map<String, Object> spec, String network) {
        boolean mode = network.equals("none") || network.equals("host");
        spec.put("netns", Map.of("nsmode", mode ? network : "bridge"));
        if (!mode) {
            spec.put("Networks", Map.of(network, Map.of()));
        }
    }

    private static void users(Map<String, Object> spec, ContainerSettings.Users users, String user) {
        switch (users) {
            case KEEP_ID -> {
                spec.put("userns", Map.of("nsmode", "keep-id"));
                spec.put("user", user);
            }
            case SAME -> spec.put("user", user);
            case ROOT -> spec.put("user", "0:0");
        }
    }

    private static Map<String, Object> limits(ContainerSettings settings) {
        return Map.of(
                "memory", Map.of("limit", settings.memoryBytes()),
                "cpu", Map.of("period", PERIOD_MICROS, "quota", settings.cpuMillis() * MICROS_PER_MILLI_CPU),
                "pids", Map.of("limit", (long) settings.pids()));
    }

    private static List<Map<String, Object>> mounts(ContainerPlan plan) {
        List<Map<String, Object>> mounts = new ArrayList<>();
        mounts.add(Map.of(
                "type",
                "tmpfs",
                "destination",
                "/tmp",
                "options",
                List.of(
                        "rw",
                        "nosuid",
                        "nodev",
                        "mode=1777",
                        "size=" + plan.settings().tmpBytes())));
        for (ContainerMount mount : plan.mounts()) {
            mounts.add(Map.of(
                    "type",
                    "bind",
                    "source",
                    mount.path().toString(),
                    "destination",
                    mount.path().toString(),
                    "options",
                    List.of("bind", mount.writable() ? "rw" : "ro", "nosuid", "nodev")));
        }
        return mounts;
    }
}
