package org.berth.host.service;

import static org.berth.yaml.YamlNode.read;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.container.ContainerSettings;
import org.berth.container.ContainerSettings.Users;
import org.berth.host.HostPolicy;
import org.berth.yaml.YamlNode;

/** Reads the key {@code container} of host.yaml. Source of the parts: placement.md, Container backend. */
final class ContainerSettingsLoader {
    private static final Pattern IMAGE =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9._:/-]{0,254}@)?sha256:[0-9a-f]{64}|[0-9a-f]{64}");
    private static final String IMAGE_RULE =
            "must be pinned: a name and @sha256: with 64 lower-case hex digits, or an image's full id";
    private static final Pattern NETWORK = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}");
    private static final Pattern PROGRAM = Pattern.compile("/.+|[A-Za-z0-9][A-Za-z0-9._+-]*");
    private static final Pattern OWN_VARIABLE = Pattern.compile("(?!BERTH_)[A-Za-z_][A-Za-z0-9_]*");
    private static final long MIB = 1_048_576;
    private static final int MOST_PIDS = 1_000_000;
    private static final int MOST_PROCESSORS = 1024;
    private static final int THOUSAND = 1000;

    private ContainerSettingsLoader() {}

    /** The settings of a host whose backend is {@code placement}, which decides what is there by default. */
    static ContainerSettings settings(YamlNode node, HostPolicy.Placement placement) {
        Map<String, YamlNode> keys = node.entries(Set.of(
                "socket",
                "cli",
                "environment",
                "image",
                "images",
                "memory",
                "cpus",
                "pids",
                "tmp",
                "network",
                "users",
                "init",
                "shell"));
        ContainerSettings absent = ContainerSettings.NONE;
        boolean docker = placement == HostPolicy.Placement.DOCKER;
        if (docker && keys.containsKey("socket")) {
            throw keys.get("socket")
                    .refuse("is for placement podman; under placement docker the command line is asked");
        }
        return new ContainerSettings(
                docker ? null : node.required(keys, "socket", HostPolicyLoader::absolute),
                read(keys, "cli", each -> each.text(PROGRAM, "must be a name or an absolute path"), cli(docker)),
                read(
                        keys,
                        "environment",
                        each -> each.mapped(YamlNode::text, OWN_VARIABLE, "must be a variable's name"),
                        absent.environment()),
                node.required(keys, "image", ContainerSettingsLoader::image),
                read(
                        keys,
                        "images",
                        each -> each.mapped(
                                ContainerSettingsLoader::image, HostPolicyLoader.NAME, HostPolicyLoader.NAME_RULE),
                        absent.images()),
                read(keys, "memory", each -> each.bytes(4 * MIB, MIB * MIB), absent.memoryBytes()),
                read(keys, "cpus", each -> each.thousandths(10, MOST_PROCESSORS * THOUSAND), absent.cpuMillis()),
                read(keys, "pids", each -> each.whole(1, MOST_PIDS), absent.pids()),
                read(keys, "tmp", each -> each.size(4096, Integer.MAX_VALUE), absent.tmpBytes()),
                read(keys, "network", each -> each.text(NETWORK, "must be none, host or a network's name"), "none"),
                read(keys, "users", each -> each.word(Users.class), docker ? Users.SAME : Users.KEEP_ID),
                read(keys, "init", YamlNode::flag, absent.init()),
                read(keys, "shell", HostPolicyLoader::absolute, absent.shell()));
    }

    private static String cli(boolean docker) {
        return docker ? "docker" : ContainerSettings.NONE.cli();
    }

    private static String image(YamlNode node) {
        return node.text(IMAGE, IMAGE_RULE);
    }

    /** A host whose placement is no native one says what its containers are made of, for policies that it has. */
    static void agree(HostPolicy policy, Map<String, YamlNode> keys) {
        if (policy.placement() != HostPolicy.Placement.NATIVE
                && !policy.container().complete()) {
            throw keys.get("placement").refuse("needs the key container, which names the engine and a pinned image");
        }
        if (keys.containsKey("container")) {
            Map<String, YamlNode> parts = keys.get("container").entries();
            if (parts.containsKey("images")) {
                parts.get("images").entries().forEach((ref, at) -> {
                    if (!policy.policies().containsKey(ref)) {
                        throw at.refuse("must be under the name of one of the policies");
                    }
                });
            }
        }
    }
}
