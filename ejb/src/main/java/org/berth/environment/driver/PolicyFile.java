package org.berth.environment.driver;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.environment.policy.FilesystemPolicy;
import org.berth.environment.policy.NetworkEndpoint;
import org.berth.environment.policy.NetworkPolicy;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.yaml.YamlNode;

/**
 * Strict reading of an environment's policy file. Unknown keys are refused; every refusal says line, column and key path.
 * Source: facts on OpenShell, policy.yaml.
 */
public final class PolicyFile {
    private static final Pattern PATH = Pattern.compile("/|(/(?!\\.{1,2}(/|$))[^/]+)+");
    private static final String PATH_RULE = "must be an absolute path without empty, . and .. parts";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,159}");
    private static final String NAME_RULE = "must be 1 to 160 letters, digits or . _ -";
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9a-fA-F:]{2,45}");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_-]{0,63}");
    private static final int MOST_PORTS = 1024;

    private PolicyFile() {}

    /** @throws BerthException environment_policy_invalid */
    public static EnvironmentPolicy parse(byte[] content) {
        YamlNode root = YamlNode.parse("environment policy", ProblemCode.ENVIRONMENT_POLICY_INVALID, text(content));
        Map<String, YamlNode> keys =
                root.entries(Set.of("version", "filesystem_policy", "landlock", "process", "network_policies"));
        root.required(keys, "version", node -> node.whole(1, 1));
        Map<String, YamlNode> process = below(keys, "process", Set.of("run_as_user", "run_as_group"));
        Map<String, YamlNode> landlock = below(keys, "landlock", Set.of("compatibility"));
        return new EnvironmentPolicy(
                YamlNode.read(keys, "filesystem_policy", PolicyFile::filesystem, null),
                YamlNode.read(landlock, "compatibility", PolicyFile::word, null),
                YamlNode.read(process, "run_as_user", PolicyFile::name, null),
                YamlNode.read(process, "run_as_group", PolicyFile::name, null),
                YamlNode.read(keys, "network_policies", PolicyFile::network, List.of()));
    }

    private static String text(byte[] content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BerthException(ProblemCode.ENVIRONMENT_POLICY_INVALID, "environment policy: must be UTF-8", e);
        }
    }

    private static Map<String, YamlNode> below(Map<String, YamlNode> keys, String name, Set<String> known) {
        return YamlNode.read(keys, name, node -> node.entries(known), Map.of());
    }

    private static FilesystemPolicy filesystem(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("include_workdir", "read_only", "read_write"));
        return new FilesystemPolicy(
                YamlNode.read(keys, "include_workdir", YamlNode::flag, false),
                YamlNode.read(keys, "read_only", PolicyFile::paths, List.of()),
                YamlNode.read(keys, "read_write", PolicyFile::paths, List.of()));
    }

    private static List<NetworkPolicy> network(YamlNode node) {
        List<NetworkPolicy> policies = new ArrayList<>();
        node.mapped(PolicyFile::parts, NAME, NAME_RULE)
                .forEach((name, parts) -> policies.add(new NetworkPolicy(name, parts.endpoints(), parts.binaries())));
        return policies;
    }

    private record Parts(List<NetworkEndpoint> endpoints, List<String> binaries) {}

    private static Parts parts(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("name", "endpoints", "binaries"));
        YamlNode.read(keys, "name", YamlNode::text, null);
        List<NetworkEndpoint> endpoints = node.required(
                keys,
                "endpoints",
                each -> each.items().stream().map(PolicyFile::endpoint).toList());
        List<String> binaries = YamlNode.read(
                keys,
                "binaries",
                each -> each.items().stream()
                        .map(item -> item.required(item.entries(Set.of("path")), "path", PolicyFile::path))
                        .toList(),
                List.of());
        return new Parts(endpoints, binaries);
    }

    private static NetworkEndpoint endpoint(YamlNode node) {
        Map<String, YamlNode> keys =
                node.entries(Set.of("host", "port", "ports", "path", "protocol", "enforcement", "access"));
        if (keys.containsKey("port") == keys.containsKey("ports")) {
            throw node.refuse("must have either port or ports");
        }
        return new NetworkEndpoint(
                node.required(keys, "host", each -> each.text(HOST, "must be a host's name or address")),
                keys.containsKey("port") ? List.of(port(keys.get("port"))) : ports(keys.get("ports")),
                YamlNode.read(keys, "path", each -> each.text(Pattern.compile("/.*"), "must begin with /"), null),
                YamlNode.read(keys, "protocol", PolicyFile::word, null),
                YamlNode.read(
                        keys,
                        "enforcement",
                        each -> each.word(NetworkEndpoint.Enforcement.class),
                        NetworkEndpoint.Enforcement.ENFORCE),
                YamlNode.read(keys, "access", PolicyFile::access, null));
    }

    private static List<Integer> ports(YamlNode node) {
        List<YamlNode> items = node.items();
        if (items.isEmpty() || items.size() > MOST_PORTS) {
            throw node.refuse("must hold 1 to " + MOST_PORTS + " ports");
        }
        return items.stream().map(PolicyFile::port).distinct().toList();
    }

    private static int port(YamlNode node) {
        return node.whole(1, 65_535);
    }

    private static NetworkEndpoint.Access access(YamlNode node) {
        return switch (node.text()) {
            case "read-only" -> NetworkEndpoint.Access.READ_ONLY;
            case "read-write" -> NetworkEndpoint.Access.READ_WRITE;
            case "full" -> NetworkEndpoint.Access.FULL;
            default -> throw node.refuse("must be read-only, read-write or full");
        };
    }

    private static List<String> paths(YamlNode node) {
        return node.items().stream().map(PolicyFile::path).toList();
    }

    private static String path(YamlNode node) {
        return node.text(PATH, PATH_RULE);
    }

    private static String word(YamlNode node) {
        return node.text(WORD, "must be a lower-case word");
    }

    private static String name(YamlNode node) {
        return node.text(NAME, NAME_RULE);
    }
}
