package org.berth.rig.rest;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.berth.json.StrictJson;
import org.berth.rig.Member;
import org.berth.rig.Occupant;
import org.berth.rig.Rig;

/** Rigs, nodes and occupants as JSON trees, with the reference's names. */
final class RigViews {
    private RigViews() {}

    static Map<String, Object> created(Rig rig, List<Member> members) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("rigId", rig.rigId());
        tree.put("name", rig.name());
        tree.put("nodes", members.stream().map(RigViews::brief).toList());
        return tree;
    }

    private static Map<String, Object> brief(Member member) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("nodeId", member.node().nodeId());
        tree.put("memberId", member.node().memberId());
        tree.put("seat", member.node().seat());
        tree.put("runtime", member.node().runtime());
        return tree;
    }

    static Map<String, Object> line(Rig rig) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("rigId", rig.rigId());
        tree.put("name", rig.name());
        tree.put("root", rig.root());
        tree.put("createdBy", rig.createdBy());
        tree.put("createdAt", rig.createdAt().toString());
        return tree;
    }

    static Map<String, Object> whole(Rig rig, List<Member> members) {
        Map<String, Object> tree = line(rig);
        tree.put("spec", StrictJson.object(rig.specJson()));
        tree.put("nodes", members.stream().map(RigViews::brief).toList());
        return tree;
    }

    static Map<String, Object> node(Member member, Optional<Occupant> current) {
        Map<String, Object> tree = brief(member);
        tree.put("agentRef", member.agentRef());
        tree.put("profile", member.profile());
        tree.put("cwd", member.node().cwd());
        tree.put("generation", current.map(Occupant::generation).orElse(null));
        return tree;
    }

    static Map<String, Object> seat(Member member, Optional<Occupant> current, List<Occupant> latest) {
        Map<String, Object> tree = node(member, current);
        tree.put("rigId", member.node().rigId());
        tree.put("rigName", member.node().rigName());
        tree.put("generations", latest.stream().map(RigViews::occupant).toList());
        return tree;
    }

    static Map<String, Object> occupant(Occupant occupant) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("nodeId", occupant.nodeId());
        tree.put("generation", occupant.generation());
        tree.put("state", occupant.state().name().toLowerCase(Locale.ROOT));
        tree.put("sessionId", occupant.sessionId());
        tree.put("nativeType", occupant.nativeType());
        tree.put("nativeId", occupant.nativeId());
        tree.put("reservedAt", time(occupant.reservedAt()));
        tree.put("registeredAt", time(occupant.registeredAt()));
        tree.put("replacedAt", time(occupant.replacedAt()));
        return tree;
    }

    private static String time(Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
