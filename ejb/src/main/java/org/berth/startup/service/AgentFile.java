package org.berth.startup.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.placement.LaunchMode;
import org.berth.problem.ProblemCode;
import org.berth.startup.InputCategory;
import org.berth.startup.MemberCommand;
import org.berth.startup.StartupFile;
import org.berth.startup.StartupInput;
import org.berth.startup.StartupPlan;
import org.berth.yaml.YamlNode;

/**
 * Strict reading of an agent file ({@code agent.yaml}, version 1.0): profiles, the resources that they use, and startup
 * files, and the command of a member that is one. Every refusal is {@code rig_file_invalid} and says line and key. Source: the reference's example agents.
 */
final class AgentFile {
    /** A path that begins so names what Berth ships: {@value}. */
    static final String SHIPPED = org.berth.environment.driver.ShippedFiles.PREFIX;

    private static final Set<String> KEYS =
            Set.of("name", "version", "description", "profiles", "resources", "startup", "defaults");
    private static final Set<String> PROFILE_KEYS =
            Set.of("uses", "model", "effort", "permission_mode", "startup", "command");
    private static final String DEFAULT_POLICY = "default";
    private static final Pattern VARIABLE = Pattern.compile("(?!HOME$|PATH$|BERTH_|OPENRIG_)[A-Z_][A-Z0-9_]*");
    private static final String VARIABLE_RULE =
            "must be a variable's name of A to Z, 0 to 9 and _, and none that Berth sets itself (HOME, PATH, BERTH_…, OPENRIG_…)";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,159}");
    private static final String NAME_RULE = "must be 1 to 160 letters, digits or . _ -";
    private static final Map<String, InputCategory> CATEGORIES = Map.of(
            "guidance", InputCategory.GUIDANCE,
            "skills", InputCategory.SKILL,
            "plugins", InputCategory.PLUGIN,
            "subagents", InputCategory.SUBAGENT,
            "runtime_resources", InputCategory.RUNTIME_RESOURCE);

    private final Path directory;
    private final Path shipped;
    private final Map<InputCategory, Map<String, String>> resources = new EnumMap<>(InputCategory.class);

    /**
     * @param directory where the agent file lies; relative paths start there
     * @param shipped what {@value #SHIPPED} stands for
     */
    AgentFile(Path directory, Path shipped) {
        this.directory = directory;
        this.shipped = shipped;
    }

    /** What a seat of {@code profile} starts with. */
    StartupPlan plan(String yaml, String profile) {
        Map<String, YamlNode> keys = keys(yaml);
        if (keys.containsKey("resources")) {
            keys.get("resources")
                    .entries(CATEGORIES.keySet())
                    .forEach((name, node) -> resources.put(CATEGORIES.get(name), resources(node)));
        }
        Map<String, YamlNode> profileKeys = profile(keys, profile).entries(PROFILE_KEYS);
        List<StartupInput> inputs = new ArrayList<>();
        if (profileKeys.containsKey("uses")) {
            profileKeys
                    .get("uses")
                    .entries(CATEGORIES.keySet())
                    .forEach((name, node) ->
                            node.items().forEach(used -> inputs.add(used(CATEGORIES.get(name), used))));
        }
        List<StartupFile> files = new ArrayList<>();
        startup(keys.get("startup"), files);
        startup(profileKeys.get("startup"), files);
        return new StartupPlan(
                inputs,
                files,
                YamlNode.read(profileKeys, "model", node -> node.text(NAME, NAME_RULE), null),
                YamlNode.read(profileKeys, "effort", node -> node.text(NAME, NAME_RULE), null),
                YamlNode.read(profileKeys, "permission_mode", node -> node.text(NAME, NAME_RULE), null));
    }

    /** What a member of runtime command runs under {@code profile}. */
    MemberCommand command(String yaml, String profile) {
        YamlNode chosen = profile(keys(yaml), profile);
        YamlNode command = chosen.required(chosen.entries(PROFILE_KEYS), "command", node -> node);
        Map<String, YamlNode> keys = command.entries(Set.of("executable", "argv", "environment", "policy", "mode"));
        return new MemberCommand(
                command.required(keys, "executable", YamlNode::text),
                YamlNode.read(
                        keys,
                        "argv",
                        node -> node.items().stream().map(YamlNode::text).toList(),
                        List.of()),
                YamlNode.read(
                        keys, "environment", node -> node.mapped(YamlNode::text, VARIABLE, VARIABLE_RULE), Map.of()),
                YamlNode.read(keys, "policy", YamlNode::text, DEFAULT_POLICY),
                YamlNode.read(keys, "mode", node -> node.word(LaunchMode.class), LaunchMode.PIPES)
                        == LaunchMode.WINDOW);
    }

    private static Map<String, YamlNode> keys(String yaml) {
        YamlNode root = YamlNode.parse("agent file", ProblemCode.RIG_FILE_INVALID, yaml);
        Map<String, YamlNode> keys = root.entries(KEYS);
        root.required(keys, "name", node -> node.text(NAME, NAME_RULE));
        root.required(keys, "version", node -> node.text(Pattern.compile("1\\.0"), "must be \"1.0\""));
        root.required(keys, "profiles", node -> node);
        return keys;
    }

    private static YamlNode profile(Map<String, YamlNode> keys, String profile) {
        YamlNode profiles = keys.get("profiles");
        YamlNode chosen = profiles.entries().get(profile);
        if (chosen == null) {
            throw profiles.refuse("must have the profile " + profile + ", which the rig file selects");
        }
        return chosen;
    }

    private Map<String, String> resources(YamlNode list) {
        Map<String, String> paths = new LinkedHashMap<>();
        for (YamlNode item : list.items()) {
            Map<String, YamlNode> keys = item.entries(Set.of("id", "path", "source"));
            String id = item.required(keys, "id", node -> node.text(NAME, NAME_RULE));
            String path = keys.containsKey("source")
                    ? source(keys.get("source"))
                    : item.required(keys, "path", YamlNode::text);
            if (paths.put(id, absolute(path)) != null) {
                throw item.refuse("repeats the id " + id);
            }
        }
        return paths;
    }

    private static String source(YamlNode source) {
        Map<String, YamlNode> keys = source.entries(Set.of("kind", "path"));
        source.required(keys, "kind", node -> node.text(Pattern.compile("local"), "must be local"));
        return source.required(keys, "path", YamlNode::text);
    }

    private StartupInput used(InputCategory category, YamlNode used) {
        String id = used.text(NAME, NAME_RULE);
        String path = resources.getOrDefault(category, Map.of()).get(id);
        if (path == null) {
            throw used.refuse("names no resource of its kind");
        }
        return new StartupInput(category, id, path);
    }

    private void startup(YamlNode startup, List<StartupFile> files) {
        if (startup == null) {
            return;
        }
        Map<String, YamlNode> keys = startup.entries(Set.of("files", "actions"));
        if (keys.containsKey("actions")) {
            keys.get("actions").items();
        }
        for (YamlNode item : keys.containsKey("files") ? keys.get("files").items() : List.<YamlNode>of()) {
            Map<String, YamlNode> entry =
                    item.entries(Set.of("path", "orientation", "delivery_hint", "required", "applies_on"));
            String path = item.required(entry, "path", YamlNode::text);
            boolean fresh = !entry.containsKey("applies_on")
                    || entry.get("applies_on").items().stream()
                            .anyMatch(node -> node.text().equals("fresh_start"));
            if (fresh) {
                files.add(
                        new StartupFile(path, absolute(path), YamlNode.read(entry, "required", YamlNode::flag, true)));
            }
        }
    }

    private String absolute(String path) {
        if (path.startsWith(SHIPPED)) {
            return shipped.resolve(path.substring(SHIPPED.length())).normalize().toString();
        }
        return directory.resolve(path).normalize().toString();
    }
}
