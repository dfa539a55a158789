package org.berth.rig.service;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.json.JsonText;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigSpec;
import org.berth.yaml.YamlNode;

/** Reads a rig file, strictly: what it does not know it refuses, with line and column. */
public final class RigFileReader {
    private static final int MAX_CHARACTERS = 1 << 20;
    private static final String FILE = "rig file";
    private static final Pattern REFERENCE = Pattern.compile("[^\\s\\p{Cntrl}]{1,1024}");
    private static final Pattern DIRECTORY = Pattern.compile("[^\\p{Cntrl}]{1,4096}");

    private RigFileReader() {}

    /** @throws BerthException rig_file_invalid */
    public static RigSpec yaml(String text) {
        return rig(YamlNode.parse(FILE, ProblemCode.RIG_FILE_INVALID, text, MAX_CHARACTERS));
    }

    /** @throws BerthException rig_file_invalid */
    public static RigSpec json(String text) {
        Map<String, Object> tree;
        try {
            tree = StrictJson.object(text);
        } catch (BerthException e) {
            throw new BerthException(ProblemCode.RIG_FILE_INVALID, FILE + ": " + e.getMessage());
        }
        YamlNode top;
        try {
            // JSON is YAML but for tabs and some escapes: read as it stands, places in it are those of the text.
            top = YamlNode.parse(FILE, ProblemCode.RIG_FILE_INVALID, text, MAX_CHARACTERS);
        } catch (BerthException e) {
            top = YamlNode.parse(FILE, ProblemCode.RIG_FILE_INVALID, JsonText.write(tree), MAX_CHARACTERS);
        }
        return rig(top);
    }

    private static RigSpec rig(YamlNode top) {
        Map<String, YamlNode> keys = top.entries(Set.of("version", "name", "pods", "edges"));
        YamlNode version = required(top, keys, "version");
        if (!version.text().equals(RigSpec.VERSION)) {
            throw version.refuse("must be \"" + RigSpec.VERSION + "\"");
        }
        String name = required(top, keys, "name")
                .text(RigSpec.NAME, "must be 1 to 63 letters, digits or . _ -, a letter or digit first");
        List<RigSpec.Pod> pods = pods(required(top, keys, "pods"));
        RigSpec members = new RigSpec(name, pods, List.of());
        requireOwnSeats(keys.get("pods"), members);
        List<RigSpec.Edge> edges =
                keys.containsKey("edges") ? edges(keys.get("edges"), Set.copyOf(members.memberIds())) : List.of();
        return new RigSpec(name, pods, edges);
    }

    private static List<RigSpec.Pod> pods(YamlNode node) {
        List<YamlNode> items = bounded(node, 1, RigSpec.MAX_PODS);
        List<RigSpec.Pod> pods = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (YamlNode item : items) {
            Map<String, YamlNode> keys = item.entries(Set.of("id", "members"));
            String id = ownId(required(item, keys, "id"), ids);
            List<RigSpec.Member> members = new ArrayList<>();
            Set<String> memberIds = new HashSet<>();
            for (YamlNode member : bounded(required(item, keys, "members"), 1, RigSpec.MAX_MEMBERS)) {
                members.add(member(member, memberIds));
            }
            pods.add(new RigSpec.Pod(id, members));
        }
        if (pods.stream().mapToInt(pod -> pod.members().size()).sum() > RigSpec.MAX_MEMBERS) {
            throw node.refuse("must have at most " + RigSpec.MAX_MEMBERS + " members together");
        }
        return pods;
    }

    private static RigSpec.Member member(YamlNode node, Set<String> ids) {
        Map<String, YamlNode> keys = node.entries(Set.of("id", "agent_ref", "runtime", "profile", "cwd"));
        return new RigSpec.Member(
                ownId(required(node, keys, "id"), ids),
                required(node, keys, "agent_ref")
                        .text(
                                REFERENCE,
                                "must be 1 to 1024 characters without white space, such as local:agents/worker"),
                word(required(node, keys, "runtime")),
                keys.containsKey("profile")
                        ? keys.get("profile").text(RigSpec.NAME, "must be 1 to 63 letters, digits or . _ -")
                        : "default",
                keys.containsKey("cwd")
                        ? keys.get("cwd").text(DIRECTORY, "must be a directory of 1 to 4096 characters")
                        : ".");
    }

    private static List<RigSpec.Edge> edges(YamlNode node, Set<String> members) {
        List<RigSpec.Edge> edges = new ArrayList<>();
        for (YamlNode item : bounded(node, 0, RigSpec.MAX_EDGES)) {
            Map<String, YamlNode> keys = item.entries(Set.of("kind", "from", "to"));
            RigSpec.Edge edge = new RigSpec.Edge(
                    word(required(item, keys, "kind")),
                    end(required(item, keys, "from"), members),
                    end(required(item, keys, "to"), members));
            if (edge.from().equals(edge.to())) {
                throw item.refuse("must join two members");
            }
            if (edges.contains(edge)) {
                throw item.refuse("is given twice");
            }
            edges.add(edge);
        }
        return edges;
    }

    private static String end(YamlNode node, Set<String> members) {
        String member = node.text();
        if (!members.contains(member)) {
            throw node.refuse("must name a member as pod.member");
        }
        return member;
    }

    /** {@code a-b} and {@code c} would have the seat of {@code a} and {@code b-c}. */
    private static void requireOwnSeats(YamlNode node, RigSpec spec) {
        Set<String> seats = new HashSet<>();
        for (RigSpec.Pod pod : spec.pods()) {
            for (RigSpec.Member member : pod.members()) {
                if (!seats.add(spec.seat(pod, member))) {
                    throw node.refuse("must give every member a seat of its own; two have " + spec.seat(pod, member));
                }
            }
        }
    }

    private static String ownId(YamlNode node, Set<String> ids) {
        String id = node.text(RigSpec.ID, "must be 1 to 63 letters, digits or _ -, a letter or digit first");
        if (!ids.add(id)) {
            throw node.refuse("is given twice");
        }
        return id;
    }

    private static String word(YamlNode node) {
        return node.text(RigSpec.WORD, "must be 1 to 64 lower-case letters, digits or _ : -, a letter first");
    }

    private static List<YamlNode> bounded(YamlNode node, int least, int most) {
        List<YamlNode> items = node.items();
        if (items.size() < least || items.size() > most) {
            throw node.refuse("must have " + least + " to " + most + " entries");
        }
        return items;
    }

    private static YamlNode required(YamlNode of, Map<String, YamlNode> keys, String name) {
        YamlNode node = keys.get(name);
        if (node == null) {
            throw of.refuse("must have the key " + name);
        }
        return node;
    }
}
