package org.berth.host.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.host.EnvironmentSettings;
import org.berth.host.EnvironmentSettings.Local;
import org.berth.host.HostPolicy;
import org.berth.yaml.YamlNode;

/** Reads the keys of host.yaml that contained environments use. */
final class EnvironmentSettingsLoader {
    private static final Pattern IMAGE = Pattern.compile(".+@sha256:[0-9a-f]{64}");
    private static final Pattern EXECUTABLE = Pattern.compile("/.+|[^/]+");

    private EnvironmentSettingsLoader() {}

    static EnvironmentSettings read(Map<String, YamlNode> keys) {
        EnvironmentSettings absent = EnvironmentSettings.DEFAULT;
        return new EnvironmentSettings(
                YamlNode.read(keys, "environments", EnvironmentSettingsLoader::roots, absent.roots()),
                YamlNode.read(
                        keys,
                        "providers",
                        node -> node.mapped(
                                EnvironmentSettingsLoader::provider, HostPolicyLoader.NAME, HostPolicyLoader.NAME_RULE),
                        absent.providers()),
                YamlNode.read(keys, "local", EnvironmentSettingsLoader::local, absent.local()),
                YamlNode.read(
                        keys,
                        "openshell",
                        node -> new EnvironmentSettings.OpenShell(node.required(
                                node.entries(Set.of("executable")),
                                "executable",
                                each -> each.text(EXECUTABLE, "must be a name or an absolute path"))),
                        absent.openShell()),
                YamlNode.read(keys, "podman", EnvironmentSettingsLoader::podman, absent.podman()));
    }

    private static List<String> roots(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("roots"));
        List<String> roots = new ArrayList<>();
        for (YamlNode each : node.required(keys, "roots", YamlNode::items)) {
            roots.add(HostPolicyLoader.absolute(each));
        }
        return roots;
    }

    private static EnvironmentSettings.Provider provider(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("environment", "credentials", "environment_refs"));
        return new EnvironmentSettings.Provider(
                YamlNode.read(keys, "environment", each -> variables(each, false), Map.of()),
                YamlNode.read(keys, "credentials", HostPolicyLoader::names, List.of()),
                YamlNode.read(keys, "environment_refs", each -> variables(each, true), Map.of()));
    }

    private static Map<String, String> variables(YamlNode node, boolean names) {
        return node.mapped(
                each -> names ? HostPolicyLoader.name(each) : each.text(),
                HostPolicyLoader.VARIABLE,
                HostPolicyLoader.VARIABLE_RULE);
    }

    private static Local local(YamlNode node) {
        return new Local(YamlNode.read(
                node.entries(Set.of("engine")),
                "engine",
                each -> each.word(EnvironmentSettings.Engine.class),
                EnvironmentSettings.DEFAULT.local().engine()));
    }

    private static EnvironmentSettings.Podman podman(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("image"));
        return new EnvironmentSettings.Podman(YamlNode.read(
                keys,
                "image",
                each -> each.isNull() ? null : each.text(IMAGE, "must end in @sha256: and 64 lower-case hex digits"),
                null));
    }

    /** Each provider's credentials and references exist, are variables, and fill each variable once. */
    static void agree(HostPolicy host, Map<String, YamlNode> keys) {
        if (!keys.containsKey("providers")) {
            return;
        }
        keys.get("providers").entries().forEach((name, node) -> {
            EnvironmentSettings.Provider provider =
                    host.environments().providers().get(name);
            Map<String, YamlNode> parts = node.entries();
            List<String> filled = new ArrayList<>(provider.environment().keySet());
            provider.environmentRefs().forEach((variable, reference) -> {
                YamlNode at = parts.get("environment_refs").entries().get(variable);
                if (!host.references().containsKey(reference)) {
                    throw at.refuse("must name one of the references");
                }
                once(filled, variable, at);
            });
            for (int i = 0; i < provider.credentials().size(); i++) {
                YamlNode at = parts.get("credentials").items().get(i);
                HostPolicy.Credential credential =
                        host.credentials().get(provider.credentials().get(i));
                if (credential == null || credential.kind() != HostPolicy.CredentialKind.ENVIRONMENT) {
                    throw at.refuse("must name one of the credentials of kind environment");
                }
                once(filled, credential.destination(), at);
            }
        });
    }

    private static void once(List<String> filled, String variable, YamlNode at) {
        if (filled.contains(variable)) {
            throw at.refuse("would set " + variable + ", which the provider sets already");
        }
        filled.add(variable);
    }
}
