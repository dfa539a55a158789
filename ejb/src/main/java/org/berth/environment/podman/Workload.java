package org.berth.environment.podman;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.ChannelOrder;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.environment.policy.NetworkEndpoint;

/**
 * The two containers of one environment, as the engine is asked for them: the workload, whose network has a loopback only,
 * and the supervisor on the host's network with the outer ends of its relays and its forward proxy. Both run the helper as
 * an ordinary user of the engine's user namespace. Source: environments.md, Podman's supervisor container.
 *
 * @param labels what both carry beside their role
 * @param helper the directory of the helper's image on this host
 * @param supervisorImage the image that the supervisor runs on
 */
record Workload(
        PodmanNames names,
        Map<String, String> labels,
        EnvironmentPlacement placement,
        EnvironmentPolicy policy,
        Path helper,
        String supervisorImage) {
    /** Where the helper's image is inside: {@value}. */
    static final String IMAGE = "/opt/openrig";

    /** The helper's program inside: {@value}. */
    static final String HELPER = IMAGE + "/bin/guest";

    /** The guest's one user: {@value}. Source: OpenShell's images. */
    static final String USER = "sandbox";

    private static final int UID = 1000;
    private static final String CHANNEL = "/run/openrig";
    private static final String CONTROL = "/run/openrig-control";
    private static final String PROVIDER = "/etc/openrig/provider";
    private static final int OWNER_READS = 0400;
    private static final int FIRST_PROXY_PORT = 3128;
    private static final int STOP_SECONDS = 2;
    private static final int OPEN_FILES = 4096;
    private static final long LOG_BYTES = 1_048_576;

    Map<String, Object> workload() {
        Map<String, Object> order = common(PodmanNames.workload(placement), placement.image());
        Map<String, String> all = new LinkedHashMap<>(labels);
        all.put(PodmanNames.ROLE, PodmanNames.SANDBOX);
        order.put("labels", all);
        order.put("command", latch());
        order.put(
                "env",
                Map.of(
                        "LANG",
                        "C.UTF-8",
                        "HOME",
                        EnvironmentRules.GUEST_ROOT,
                        "PATH",
                        "/usr/local/bin:/usr/bin:/bin",
                        "OPENRIG_PROVIDER_FILE",
                        PROVIDER));
        order.put(
                "secrets",
                List.of(Map.of(
                        "Source", names.secret(), "Target", PROVIDER, "UID", UID, "GID", UID, "Mode", OWNER_READS)));
        order.put(
                "volumes",
                List.of(
                        volume(names.workspace(), EnvironmentRules.GUEST_ROOT, "rw"),
                        volume(names.channel(), CHANNEL, "ro")));
        order.put("netns", Map.of("nsmode", "none"));
        order.put("hostname", placement.name());
        order.put("hostadd", List.of(NetworkEndpoint.GUEST_NAME_OF_HOST + ":127.0.0.1"));
        order.put("work_dir", EnvironmentRules.GUEST_ROOT);
        return order;
    }

    Map<String, Object> supervisor() {
        Map<String, Object> order = common(names.supervisor(), supervisorImage);
        Map<String, String> all = new LinkedHashMap<>(labels);
        all.put(PodmanNames.ROLE, "supervisor");
        order.put("labels", all);
        order.put("command", gateway());
        order.put("volumes", List.of(volume(names.channel(), CHANNEL, "rw"), volume(names.control(), CONTROL, "rw")));
        order.put("netns", Map.of("nsmode", "host"));
        order.put("work_dir", CONTROL);
        return order;
    }

    private Map<String, Object> common(String name, String image) {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("name", name);
        order.put("image", image);
        order.put("entrypoint", List.of(HELPER));
        order.put("user", UID + ":" + UID);
        order.put("cap_drop", List.of("ALL"));
        order.put("no_new_privileges", true);
        order.put("read_only_filesystem", true);
        order.put("restart_policy", "no");
        order.put("stop_timeout", STOP_SECONDS);
        order.put(
                "mounts",
                List.of(
                        Map.of(
                                "type",
                                "bind",
                                "source",
                                helper.toString(),
                                "destination",
                                IMAGE,
                                "options",
                                List.of("bind", "ro", "nosuid", "nodev")),
                        Map.of(
                                "type", "tmpfs",
                                "source", "tmpfs",
                                "destination", "/tmp",
                                "options", List.of(writableTmp() ? "rw" : "ro", "nosuid", "nodev", "mode=1777"))));
        order.put("r_limits", List.of(Map.of("type", "nofile", "soft", OPEN_FILES, "hard", OPEN_FILES)));
        order.put("log_configuration", Map.of("driver", "k8s-file", "size", LOG_BYTES));
        return order;
    }

    private boolean writableTmp() {
        return policy.filesystem() == null || policy.filesystem().writes("/tmp");
    }

    private static Map<String, Object> volume(String name, String destination, String mode) {
        return Map.of("Name", name, "Dest", destination, "Options", List.of(mode, "nosuid", "nodev"));
    }

    /** The proxy is always there, so that what it refuses is recorded. */
    private List<String> latch() {
        List<String> all = new ArrayList<>(List.of("--root", EnvironmentRules.GUEST_ROOT));
        for (int port : policy.relays()) {
            all.add("--relay");
            all.add(port + "=" + relay(port));
        }
        int port = FIRST_PROXY_PORT;
        while (policy.relays().contains(port)) {
            port++;
        }
        all.add("--proxy");
        all.add(port + "=" + CHANNEL + "/proxy.sock");
        return all;
    }

    private List<String> gateway() {
        List<String> all = new ArrayList<>(List.of("--gateway"));
        for (int port : policy.relays()) {
            all.add("--relay-end");
            all.add(relay(port) + "=" + port);
        }
        all.add("--proxy-end");
        all.add(CHANNEL + "/proxy.sock");
        for (ChannelOrder.Endpoint allowed : policy.proxied()) {
            all.add("--allow");
            all.add((allowed.host().indexOf(':') < 0 ? allowed.host() : "[" + allowed.host() + "]") + ":"
                    + allowed.port());
        }
        return all;
    }

    private static String relay(int port) {
        return CHANNEL + "/relay-" + port + ".sock";
    }
}
