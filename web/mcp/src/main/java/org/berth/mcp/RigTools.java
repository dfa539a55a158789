package org.berth.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.activity.WorkScope;
import org.berth.activity.service.ActivityService;
import org.berth.activity.service.TeamService;
import org.berth.rig.RigNode;

/** Every tool of the listener. Source: the environment reference's tool names. */
@ApplicationScoped
public class RigTools {
    @Inject
    private TeamService teams;

    @Inject
    private ActivityService activity;

    @Inject
    private QueueTools queue;

    @Inject
    private ExportTool export;

    List<McpStatelessServerFeatures.SyncToolSpecification> specifications(McpJsonMapper mapper) {
        return tools().stream().map(tool -> tool.specification(mapper)).toList();
    }

    private List<RigTool> tools() {
        List<RigTool> tools = new ArrayList<>();
        tools.add(new RigTool(
                "rig_whoami",
                "Your seat, your rigs and the grant under which you call.",
                RigTool.Effect.READ_ONLY,
                (scope, _) -> whoami(scope)));
        tools.add(new RigTool(
                "rig_team",
                "The seats of your rigs, their runtime and what each does now.",
                RigTool.Effect.READ_ONLY,
                (scope, _) -> team(scope)));
        tools.addAll(queue.tools());
        if (export.offered()) {
            tools.add(new RigTool(
                    "rig_environment_export",
                    "Brings the JSON artifact of your contained work to the host, checks its bytes, schema and context,"
                            + " and notes the receipt on your work item. It closes no work and stops nothing.",
                    RigTool.Effect.ADDITIVE,
                    export::export));
        }
        return tools;
    }

    private Map<String, Object> whoami(WorkScope scope) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("seat", scope.seat());
        tree.put("rigs", scope.rigs());
        tree.put("grant", scope.grantName());
        teams.self(scope).ifPresent(node -> {
            tree.put("nodeId", node.nodeId());
            tree.put("memberId", node.memberId());
            tree.put("runtime", node.runtime());
        });
        return tree;
    }

    private Map<String, Object> team(WorkScope scope) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("members", teams.team(scope).stream().map(this::member).toList());
        return tree;
    }

    private Map<String, Object> member(RigNode node) {
        ActivityService.SeatActivity now = activity.of(node.seat());
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("seat", node.seat());
        tree.put("rig", node.rigName());
        tree.put("memberId", node.memberId());
        tree.put("runtime", node.runtime());
        tree.put("activity", now.reading().state().wire());
        tree.put("stale", now.reading().stale());
        return tree;
    }
}
