package org.berth.host.service;

import static org.berth.yaml.YamlNode.read;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.host.HostPolicy;
import org.berth.host.SecretSource;
import org.berth.placement.ResourceAccess;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.yaml.YamlNode;

/**
 * Strict reading of {@code host.yaml}. Every refusal says the line, the column and the key path. A key that is absent
 * takes the value of {@link HostPolicy#DEFAULT}. Stateless, for any thread. Source of the bounds: placement.md.
 */
public final class HostPolicyLoader {
    private static final Duration SHORTEST_KEPT = Duration.ofSeconds(1);
    private static final Duration LONGEST_KEPT = Duration.ofDays(3650);
    private static final long MOST_BYTES = 1_048_576;
    private static final int MOST_INSTRUCTIONS = 4096;
    private static final Pattern EXECUTABLE = Pattern.compile("/.+|(?!\\.{1,2}$)[^/\\x00]+");
    private static final String EXECUTABLE_RULE = "must be an absolute path or a bare name";
    private static final Pattern ENDPOINT = Pattern.compile("https?://[^\\s@?#\"\\\\]{1,2000}");
    private static final String ENDPOINT_RULE = "must be an http or https URL without user, query and fragment";
    private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final Pattern ABSOLUTE = Pattern.compile("/.*");
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@/-]{0,159}");
    static final String NAME_RULE = "must be 1 to 160 letters, digits or . _ : @ - /, the first a letter or a digit";
    static final Pattern VARIABLE = Pattern.compile("(?!HOME$|PATH$|BERTH_)[A-Z_][A-Z0-9_]*");
    static final String VARIABLE_RULE =
            "must be a variable's name of A to Z, 0 to 9 and _, and none that the host sets itself (HOME, PATH, BERTH_…)";

    private HostPolicyLoader() {}

    /** @throws BerthException INVALID when the file is wrong, NOT_FOUND when there is none, STORAGE when unreadable */
    public static HostPolicy load(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw BerthException.invalid("host policy " + file + " must be at most " + MOST_BYTES + " bytes");
            }
            return parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new BerthException(ProblemCode.NOT_FOUND, "host policy " + file + " does not exist", e);
        } catch (CharacterCodingException e) {
            throw new BerthException(ProblemCode.INVALID, "host policy " + file + " must be UTF-8", e);
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "host policy " + file + " cannot be read", e);
        }
    }

    /** @throws BerthException INVALID, naming line, column and key path */
    public static HostPolicy parse(String yaml) {
        YamlNode root = YamlNode.parse("host policy", ProblemCode.INVALID, yaml);
        Map<String, YamlNode> keys = root.entries(Set.of(
                "placement",
                "resource_mode",
                "admitted_roots",
                "path",
                "workdir_preparers",
                "sweep",
                "policies",
                "credentials",
                "references",
                "output",
                "log_retention",
                "evidence_retention",
                "retention",
                "provider_login_writeback",
                "environments",
                "providers",
                "local",
                "openshell",
                "podman",
                "kernel_transports",
                "container"));
        HostPolicy absent = HostPolicy.DEFAULT;
        HostPolicy.Placement placement =
                read(keys, "placement", node -> node.word(HostPolicy.Placement.class), absent.placement());
        HostPolicy policy = new HostPolicy(
                placement,
                read(keys, "resource_mode", node -> node.word(HostPolicy.ResourceMode.class), absent.resourceMode()),
                read(
                        keys,
                        "admitted_roots",
                        node -> node.mapped(HostPolicyLoader::admittedRoot, NAME, NAME_RULE),
                        absent.admittedRoots()),
                read(keys, "path", HostPolicyLoader::directories, absent.path()),
                read(keys, "workdir_preparers", HostPolicyLoader::names, absent.workdirPreparers()),
                read(keys, "sweep", HostPolicyLoader::sweep, absent.sweep()),
                read(
                        keys,
                        "policies",
                        node -> node.mapped(HostPolicyLoader::policy, NAME, NAME_RULE),
                        absent.policies()),
                read(
                        keys,
                        "credentials",
                        node -> node.mapped(HostPolicyLoader::credential, NAME, NAME_RULE),
                        absent.credentials()),
                read(
                        keys,
                        "references",
                        node -> node.mapped(HostPolicyLoader::source, NAME, NAME_RULE),
                        absent.references()),
                read(keys, "output", HostPolicyLoader::output, absent.output()),
                read(keys, "log_retention", HostPolicyLoader::kept, absent.logRetention()),
                evidenceRetention(keys, absent.evidenceRetention()),
                read(keys, "provider_login_writeback", YamlNode::flag, absent.providerLoginWriteback()),
                EnvironmentSettingsLoader.read(keys),
                read(keys, "retention", HostPolicyLoader::retention, absent.retention()),
                read(
                        keys,
                        "kernel_transports",
                        node -> node.mapped(KernelTransportLoader::transport, NAME, NAME_RULE),
                        absent.kernelTransports()),
                read(keys, "container", node -> ContainerSettingsLoader.settings(node, placement), absent.container()));
        EnvironmentSettingsLoader.agree(policy, keys);
        ContainerSettingsLoader.agree(policy, keys);
        if (keys.containsKey("policies")) {
            keys.get("policies").entries().forEach((ref, node) -> agree(policy, policy.policy(ref), node));
        }
        return policy;
    }

    private static HostPolicy.AdmittedRoot admittedRoot(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("path", "access"));
        return new HostPolicy.AdmittedRoot(
                node.required(keys, "path", HostPolicyLoader::absolute),
                node.required(keys, "access", each -> each.word(ResourceAccess.class)));
    }

    static String absolute(YamlNode node) {
        return node.text(ABSOLUTE, "must be an absolute path");
    }

    static String name(YamlNode node) {
        return node.text(NAME, NAME_RULE);
    }

    private static List<String> directories(YamlNode node) {
        List<String> directories = List.of(node.text().split(":", -1));
        if (!directories.stream().allMatch(each -> each.startsWith("/"))) {
            throw node.refuse("must be absolute directories, parted by :");
        }
        return directories;
    }

    static List<String> names(YamlNode node) {
        List<String> names = new ArrayList<>();
        for (YamlNode each : node.items()) {
            String name = name(each);
            if (names.contains(name)) {
                throw each.refuse("must be named once");
            }
            names.add(name);
        }
        return names;
    }

    private static HostPolicy.Sweep sweep(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("every", "bound", "reconcile_timeout"));
        HostPolicy.Sweep absent = HostPolicy.DEFAULT.sweep();
        return new HostPolicy.Sweep(
                read(
                        keys,
                        "every",
                        each -> each.duration(Duration.ofMillis(100), Duration.ofHours(24)),
                        absent.every()),
                read(keys, "bound", each -> each.whole(1, 10_000), absent.bound()),
                read(
                        keys,
                        "reconcile_timeout",
                        each -> each.duration(Duration.ofMillis(100), Duration.ofMinutes(5)),
                        absent.reconcileTimeout()));
    }

    private static HostPolicy.Retention retention(YamlNode node) {
        Map<String, YamlNode> keys = retentionKeys(node);
        return new HostPolicy.Retention(
                read(keys, "operations", HostPolicyLoader::kept, null),
                read(keys, "events", HostPolicyLoader::kept, null));
    }

    /** The key of its own, or the same under retention; both at once would contradict each other. */
    private static Duration evidenceRetention(Map<String, YamlNode> keys, Duration absent) {
        Map<String, YamlNode> retention =
                keys.containsKey("retention") ? retentionKeys(keys.get("retention")) : Map.of();
        if (keys.containsKey("evidence_retention") && retention.containsKey("evidence")) {
            throw retention.get("evidence").refuse("says the same as evidence_retention; give one of them");
        }
        return read(
                keys,
                "evidence_retention",
                HostPolicyLoader::kept,
                read(retention, "evidence", HostPolicyLoader::kept, absent));
    }

    private static Map<String, YamlNode> retentionKeys(YamlNode node) {
        return node.entries(Set.of("operations", "events", "evidence"));
    }

    private static Duration kept(YamlNode node) {
        return node.duration(SHORTEST_KEPT, LONGEST_KEPT);
    }

    private static HostPolicy.Output output(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("outstanding_chunks", "spool"));
        HostPolicy.Output absent = HostPolicy.DEFAULT.output();
        return new HostPolicy.Output(
                read(keys, "outstanding_chunks", each -> each.whole(1, 256), absent.outstandingChunks()),
                read(keys, "spool", each -> each.size(16_384, 4_194_304), absent.spoolBytes()));
    }

    private static HostPolicy.Policy policy(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of(
                "driver",
                "profile",
                "model",
                "environment",
                "credentials",
                "allow_host_home",
                "executable",
                "effort",
                "instructions",
                "edits",
                "endpoint",
                "gateway"));
        return new HostPolicy.Policy(
                node.required(keys, "driver", HostPolicyLoader::name),
                read(keys, "profile", HostPolicyLoader::name, "batch"),
                read(keys, "model", each -> each.isNull() ? null : each.text(), null),
                read(keys, "environment", each -> each.mapped(YamlNode::text, VARIABLE, VARIABLE_RULE), Map.of()),
                read(keys, "credentials", HostPolicyLoader::names, List.of()),
                read(keys, "allow_host_home", YamlNode::flag, false),
                agent(keys));
    }

    private static HostPolicy.Agent agent(Map<String, YamlNode> keys) {
        Map<String, YamlNode> gateway =
                keys.containsKey("gateway") ? keys.get("gateway").entries(Set.of("tools", "hooks")) : Map.of();
        return new HostPolicy.Agent(
                read(keys, "executable", each -> each.text(EXECUTABLE, EXECUTABLE_RULE), null),
                read(keys, "effort", each -> each.text(WORD, "must be one word of a to z, 0 to 9 and -"), null),
                read(keys, "instructions", HostPolicyLoader::instructions, null),
                read(keys, "edits", YamlNode::flag, false),
                read(keys, "endpoint", each -> each.text(ENDPOINT, ENDPOINT_RULE), null),
                read(gateway, "tools", HostPolicyLoader::name, null),
                read(gateway, "hooks", HostPolicyLoader::name, null));
    }

    private static String instructions(YamlNode node) {
        String text = node.text();
        if (text.isBlank() || text.indexOf('\0') >= 0 || text.length() > MOST_INSTRUCTIONS) {
            throw node.refuse("must be text of 1 to " + MOST_INSTRUCTIONS + " characters");
        }
        return text;
    }

    private static HostPolicy.Credential credential(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("kind", "destination", "driver", "source", "optional"));
        HostPolicy.CredentialKind kind =
                node.required(keys, "kind", each -> each.word(HostPolicy.CredentialKind.class));
        boolean variable = kind == HostPolicy.CredentialKind.ENVIRONMENT;
        if (!variable && keys.containsKey("destination")) {
            throw keys.get("destination").refuse("is for kind environment; a driver declares where its files go");
        }
        return new HostPolicy.Credential(
                kind,
                variable ? node.required(keys, "destination", each -> each.text(VARIABLE, VARIABLE_RULE)) : null,
                variable
                        ? read(keys, "driver", HostPolicyLoader::name, null)
                        : node.required(keys, "driver", HostPolicyLoader::name),
                node.required(keys, "source", HostPolicyLoader::source),
                read(keys, "optional", YamlNode::flag, false));
    }

    private static SecretSource source(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("env", "file", "store", "alias"));
        if (keys.keySet().equals(Set.of("env"))) {
            return new SecretSource.FromEnvironment(
                    keys.get("env").text(Pattern.compile("[A-Za-z_][A-Za-z0-9_]*"), "must be a variable's name"));
        }
        if (keys.keySet().equals(Set.of("file"))) {
            return new SecretSource.FromFile(
                    keys.get("file").text(Pattern.compile("(/|~/).+"), "must be an absolute path or begin with ~/"));
        }
        if (keys.keySet().equals(Set.of("store", "alias"))) {
            return new SecretSource.FromCredentialStore(
                    name(keys.get("store")), keys.get("alias").text());
        }
        throw node.refuse("must be {env: NAME}, {file: PATH} or {store: NAME, alias: NAME}");
    }

    /** A policy's credentials exist, serve its driver, and fill no variable that another of its parts fills. */
    private static void agree(HostPolicy host, HostPolicy.Policy policy, YamlNode node) {
        List<String> filled = new ArrayList<>(policy.environment().keySet());
        for (int i = 0; i < policy.credentials().size(); i++) {
            String name = policy.credentials().get(i);
            YamlNode at = node.entries().get("credentials").items().get(i);
            HostPolicy.Credential credential = host.credentials().get(name);
            if (credential == null) {
                throw at.refuse("must name one of the credentials");
            }
            if (credential.driver() != null && !credential.driver().equals(policy.driver())) {
                throw at.refuse("names a credential for driver " + credential.driver() + ", the policy's is "
                        + policy.driver());
            }
            if (credential.destination() != null && filled.contains(credential.destination())) {
                throw at.refuse("would set " + credential.destination() + ", which the policy sets already");
            }
            filled.add(credential.destination());
        }
        gatewayAgrees(host, policy, node);
    }

    /** A gateway's tokens are two of the policy's own variables. */
    private static void gatewayAgrees(HostPolicy host, HostPolicy.Policy policy, YamlNode node) {
        if (!node.entries().containsKey("gateway")) {
            return;
        }
        Map<String, YamlNode> gateway = node.entries().get("gateway").entries();
        gateway.forEach((listener, at) -> {
            String named = listener.equals("tools")
                    ? policy.agent().toolsCredential()
                    : policy.agent().hooksCredential();
            HostPolicy.Credential credential = host.credentials().get(named);
            if (!policy.credentials().contains(named) || credential.kind() != HostPolicy.CredentialKind.ENVIRONMENT) {
                throw at.refuse("must name one of the policy's credentials of kind environment");
            }
        });
        if (gateway.size() == 2
                && policy.agent().toolsCredential().equals(policy.agent().hooksCredential())) {
            throw gateway.get("hooks").refuse("must not share the token of the tools");
        }
    }
}
