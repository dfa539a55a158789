package org.berth.host.service;

import static org.berth.yaml.YamlNode.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.host.KernelTransportSetting;
import org.berth.yaml.YamlNode;

/** Reads the key {@code kernel_transports} of host.yaml. */
final class KernelTransportLoader {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern COMMAND = Pattern.compile("[^=]+");
    private static final Pattern ARGUMENT = Pattern.compile("[^\0]+");
    private static final Pattern PLAIN = Pattern.compile("/|(/[^/\0]+)+");

    private KernelTransportLoader() {}

    static KernelTransportSetting transport(YamlNode node) {
        Map<String, YamlNode> keys = node.entries(Set.of("argvPrefix", "python", "command", "pathMap", "env"));
        return new KernelTransportSetting(
                node.required(keys, "argvPrefix", KernelTransportLoader::wrapper),
                read(
                        keys,
                        "python",
                        each -> each.text(COMMAND, "must be a command without the sign ="),
                        KernelTransportSetting.PYTHON),
                read(
                        keys,
                        "command",
                        each -> each.word(KernelTransportSetting.Form.class),
                        KernelTransportSetting.Form.ARGV),
                read(keys, "pathMap", KernelTransportLoader::pathMap, List.of()),
                read(keys, "env", KernelTransportLoader::variables, List.of()));
    }

    private static List<String> wrapper(YamlNode node) {
        List<String> arguments = new ArrayList<>();
        node.items().forEach(each -> arguments.add(each.text(ARGUMENT, "must be an argument")));
        if (arguments.isEmpty()) {
            throw node.refuse("must name the wrapper's command");
        }
        return arguments;
    }

    private static List<KernelTransportSetting.SharedDirectory> pathMap(YamlNode node) {
        List<KernelTransportSetting.SharedDirectory> shared = new ArrayList<>();
        for (YamlNode each : node.items()) {
            Map<String, YamlNode> keys = each.entries(Set.of("sandbox", "host"));
            KernelTransportSetting.SharedDirectory directory = new KernelTransportSetting.SharedDirectory(
                    each.required(keys, "sandbox", KernelTransportLoader::plain),
                    each.required(keys, "host", KernelTransportLoader::plain));
            if (shared.stream().anyMatch(other -> other.sandbox().equals(directory.sandbox()))) {
                throw each.refuse("names a sandbox path that another of its items has");
            }
            shared.add(directory);
        }
        return shared;
    }

    private static String plain(YamlNode node) {
        String rule = "must be an absolute path without . and .. and without a slash at its end";
        String path = node.text(PLAIN, rule);
        if (!Path.of(path).normalize().toString().equals(path)) {
            throw node.refuse(rule);
        }
        return path;
    }

    private static List<String> variables(YamlNode node) {
        List<String> names = new ArrayList<>();
        node.items().forEach(each -> names.add(each.text(VARIABLE, "must be a variable's name")));
        return names;
    }
}
