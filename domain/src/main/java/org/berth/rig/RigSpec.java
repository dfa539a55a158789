package org.berth.rig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A team as its file describes it, checked. Source: environments.md, Rigs, startup, snapshots, restore; the reference's
 * example rig.
 *
 * @param name 1 to 63 characters, unique on the host
 * @param pods 1 to {@value #MAX_PODS}
 */
public record RigSpec(String name, List<Pod> pods, List<Edge> edges) {
    /** The one version of the file: {@value}. */
    public static final String VERSION = "0.2";

    public static final int MAX_PODS = 64;
    public static final int MAX_MEMBERS = 256;
    public static final int MAX_EDGES = 1024;

    /** Form of a rig's name and of a profile's. No {@code @}, since it ends a seat's address. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** Form of the ids of pods and members. No dot, since it parts them. */
    public static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    /** Form of a runtime's name, and of an edge's kind. */
    public static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_:-]{0,63}");

    public RigSpec {
        pods = List.copyOf(pods);
        edges = List.copyOf(edges);
    }

    /** A group of members. */
    public record Pod(String id, List<Member> members) {
        public Pod {
            members = List.copyOf(members);
        }
    }

    /**
     * @param agentRef where the agent's file is, for example {@code local:agents/worker}
     * @param runtime for example {@code claude-code}, {@code openshell-claude} or {@code command}
     * @param profile a profile of the agent's file
     * @param cwd a host directory, relative ones below the rig's root
     */
    public record Member(String id, String agentRef, String runtime, String profile, String cwd) {}

    /**
     * @param kind for example {@code delegates_to}
     * @param from {@code pod.member}
     * @param to {@code pod.member}
     */
    public record Edge(String kind, String from, String to) {}

    /** {@code pod.member} of each member, in the file's order. */
    public List<String> memberIds() {
        List<String> ids = new ArrayList<>();
        pods.forEach(pod -> pod.members().forEach(member -> ids.add(pod.id() + "." + member.id())));
        return ids;
    }

    /** {@code pod-member@rig}. */
    public String seat(Pod pod, Member member) {
        return pod.id() + "-" + member.id() + "@" + name;
    }

    /** The file as a JSON tree, in the file's own names. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", VERSION);
        tree.put("name", name);
        tree.put("pods", pods.stream().map(RigSpec::tree).toList());
        tree.put(
                "edges",
                edges.stream()
                        .map(edge -> ordered("kind", edge.kind(), "from", edge.from(), "to", edge.to()))
                        .toList());
        return tree;
    }

    private static Map<String, Object> tree(Pod pod) {
        List<Map<String, Object>> members = pod.members().stream()
                .map(member -> ordered(
                        "id", member.id(),
                        "agent_ref", member.agentRef(),
                        "runtime", member.runtime(),
                        "profile", member.profile(),
                        "cwd", member.cwd()))
                .toList();
        return ordered("id", pod.id(), "members", members);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
