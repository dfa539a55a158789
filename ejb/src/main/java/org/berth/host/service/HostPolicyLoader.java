package org.berth.host.service;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.berth.host.HostPolicy;
import org.berth.host.SecretSource;
import org.berth.placement.ResourceAccess;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Strict reading of {@code host.yaml}. Every refusal says the line, the column and the key path. A key that is absent
 * takes the value of {@link HostPolicy#DEFAULT}. Stateless, for any thread. Source of the bounds: placement.md.
 */
public final class HostPolicyLoader {
    private static final long MOST_BYTES = 1_048_576;
    private static final Pattern ABSOLUTE = Pattern.compile("/.*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@/-]{0,159}");
    private static final String NAME_RULE =
            "must be 1 to 160 letters, digits or . _ : @ - /, the first a letter or a digit";
    private static final Pattern VARIABLE = Pattern.compile("(?!HOME$|PATH$|BERTH_)[A-Z_][A-Z0-9_]*");
    private static final String VARIABLE_RULE =
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
        PolicyNode root = new PolicyNode("", compose(yaml));
        Map<String, PolicyNode> keys = root.entries(Set.of(
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
                "provider_login_writeback"));
        HostPolicy absent = HostPolicy.DEFAULT;
        Duration second = Duration.ofSeconds(1);
        Duration years = Duration.ofDays(3650);
        HostPolicy policy = new HostPolicy(
                read(keys, "placement", node -> node.word(HostPolicy.Placement.class), absent.placement()),
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
                read(keys, "log_retention", node -> node.duration(second, years), absent.logRetention()),
                read(keys, "evidence_retention", node -> node.duration(second, years), absent.evidenceRetention()),
                read(keys, "provider_login_writeback", PolicyNode::flag, absent.providerLoginWriteback()));
        if (keys.containsKey("policies")) {
            keys.get("policies").entries().forEach((ref, node) -> agree(policy, policy.policy(ref), node));
        }
        return policy;
    }

    private static Node compose(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(true);
        Node node;
        try {
            node = new Yaml(new SafeConstructor(options)).compose(new StringReader(yaml));
        } catch (MarkedYAMLException e) {
            String place = e.getProblemMark() == null
                    ? ""
                    : ", line " + (e.getProblemMark().getLine() + 1) + ", column "
                            + (e.getProblemMark().getColumn() + 1);
            throw new BerthException(
                    ProblemCode.INVALID, "host policy" + place + ": not well-formed YAML, " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new BerthException(ProblemCode.INVALID, "host policy: not well-formed YAML", e);
        }
        if (node == null) {
            throw BerthException.invalid("host policy, line 1, column 1: the file must be a mapping");
        }
        return node;
    }

    private static <V> V read(Map<String, PolicyNode> keys, String name, Function<PolicyNode, V> how, V absent) {
        return keys.containsKey(name) ? how.apply(keys.get(name)) : absent;
    }

    private static <V> V required(
            PolicyNode of, Map<String, PolicyNode> keys, String name, Function<PolicyNode, V> how) {
        if (!keys.containsKey(name)) {
            throw of.refuse("must have " + name);
        }
        return how.apply(keys.get(name));
    }

    private static HostPolicy.AdmittedRoot admittedRoot(PolicyNode node) {
        Map<String, PolicyNode> keys = node.entries(Set.of("path", "access"));
        return new HostPolicy.AdmittedRoot(
                required(node, keys, "path", HostPolicyLoader::absolute),
                required(node, keys, "access", each -> each.word(ResourceAccess.class)));
    }

    private static String absolute(PolicyNode node) {
        return node.text(ABSOLUTE, "must be an absolute path");
    }

    private static String name(PolicyNode node) {
        return node.text(NAME, NAME_RULE);
    }

    private static List<String> directories(PolicyNode node) {
        List<String> directories = List.of(node.text().split(":", -1));
        if (!directories.stream().allMatch(each -> each.startsWith("/"))) {
            throw node.refuse("must be absolute directories, parted by :");
        }
        return directories;
    }

    private static List<String> names(PolicyNode node) {
        List<String> names = new ArrayList<>();
        for (PolicyNode each : node.items()) {
            String name = name(each);
            if (names.contains(name)) {
                throw each.refuse("must be named once");
            }
            names.add(name);
        }
        return names;
    }

    private static HostPolicy.Sweep sweep(PolicyNode node) {
        Map<String, PolicyNode> keys = node.entries(Set.of("every", "bound", "reconcile_timeout"));
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

    private static HostPolicy.Output output(PolicyNode node) {
        Map<String, PolicyNode> keys = node.entries(Set.of("outstanding_chunks", "spool"));
        HostPolicy.Output absent = HostPolicy.DEFAULT.output();
        return new HostPolicy.Output(
                read(keys, "outstanding_chunks", each -> each.whole(1, 256), absent.outstandingChunks()),
                read(keys, "spool", each -> each.size(16_384, 4_194_304), absent.spoolBytes()));
    }

    private static HostPolicy.Policy policy(PolicyNode node) {
        Map<String, PolicyNode> keys =
                node.entries(Set.of("driver", "profile", "model", "environment", "credentials", "allow_host_home"));
        return new HostPolicy.Policy(
                required(node, keys, "driver", HostPolicyLoader::name),
                read(keys, "profile", HostPolicyLoader::name, "batch"),
                read(keys, "model", each -> each.isNull() ? null : each.text(), null),
                read(keys, "environment", each -> each.mapped(PolicyNode::text, VARIABLE, VARIABLE_RULE), Map.of()),
                read(keys, "credentials", HostPolicyLoader::names, List.of()),
                read(keys, "allow_host_home", PolicyNode::flag, false));
    }

    private static HostPolicy.Credential credential(PolicyNode node) {
        Map<String, PolicyNode> keys = node.entries(Set.of("kind", "destination", "driver", "source", "optional"));
        HostPolicy.CredentialKind kind =
                required(node, keys, "kind", each -> each.word(HostPolicy.CredentialKind.class));
        boolean variable = kind == HostPolicy.CredentialKind.ENVIRONMENT;
        if (!variable && keys.containsKey("destination")) {
            throw keys.get("destination").refuse("is for kind environment; a driver declares where its files go");
        }
        return new HostPolicy.Credential(
                kind,
                variable ? required(node, keys, "destination", each -> each.text(VARIABLE, VARIABLE_RULE)) : null,
                variable
                        ? read(keys, "driver", HostPolicyLoader::name, null)
                        : required(node, keys, "driver", HostPolicyLoader::name),
                required(node, keys, "source", HostPolicyLoader::source),
                read(keys, "optional", PolicyNode::flag, false));
    }

    private static SecretSource source(PolicyNode node) {
        Map<String, PolicyNode> keys = node.entries(Set.of("env", "file", "store", "alias"));
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
    private static void agree(HostPolicy host, HostPolicy.Policy policy, PolicyNode node) {
        List<String> filled = new ArrayList<>(policy.environment().keySet());
        for (int i = 0; i < policy.credentials().size(); i++) {
            String name = policy.credentials().get(i);
            PolicyNode at = node.entries().get("credentials").items().get(i);
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
    }
}
