package org.berth.startup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.ProjectionReceipt;

/** The three private files of a launch, as JSON trees. Source: the reference's startup and helper. */
public final class LaunchFiles {
    /** Under the guest root: {@value}. */
    public static final String ACTIVITY = "control/activity.json";

    /** Under the guest root: {@value}. */
    public static final String COORDINATION = "control/coordination.json";

    /** Under the guest root: {@value}. */
    public static final String DESCRIPTOR = "control/launch.pending.json";

    /** What a worker may call unasked. */
    public static final List<String> TOOLS = List.of(
            "mcp__openrig__rig_whoami",
            "mcp__openrig__rig_team",
            "mcp__openrig__rig_queue_list",
            "mcp__openrig__rig_queue_show",
            "mcp__openrig__rig_queue_create",
            "mcp__openrig__rig_queue_claim",
            "mcp__openrig__rig_queue_update",
            "mcp__openrig__rig_environment_export");

    private LaunchFiles() {}

    /** Exactly the five values that the native's hooks need. */
    public static Map<String, Object> activity(
            String url, String token, String nodeId, String seat, String generation) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("OPENRIG_URL", url);
        tree.put("OPENRIG_ACTIVITY_HOOK_TOKEN", token);
        tree.put("OPENRIG_NODE_ID", nodeId);
        tree.put("OPENRIG_SESSION_NAME", seat);
        tree.put("OPENRIG_OCCUPANT_GENERATION", generation);
        return tree;
    }

    /** The native's MCP configuration. */
    public static Map<String, Object> coordination(String mcpUrl, String token) {
        return Map.of(
                "mcpServers",
                Map.of(
                        "openrig",
                        Map.of("type", "http", "url", mcpUrl, "headers", Map.of("Authorization", "Bearer " + token))));
    }

    /**
     * What the helper verifies and starts.
     *
     * @param selected the launch operation's request: version, bindingId, nodeId, generation, resourceId, nativeId
     * @param files the whole verified projection
     * @param resumed the conversation that goes on; null for a fresh one
     */
    public static Map<String, Object> descriptor(
            Map<String, Object> selected,
            List<ProjectionReceipt> files,
            StartupPlan plan,
            EnvironmentCheckpoint resumed) {
        Map<String, Object> tree = new LinkedHashMap<>(selected);
        List<Map<String, Object>> listed = new ArrayList<>();
        List<String> plugins = new ArrayList<>();
        for (ProjectionReceipt file : files) {
            listed.add(Map.of(
                    "path", file.path(), "sha256", file.sha256(), "bytes", file.bytes(), "required", file.required()));
            String plugin = GuestLayout.pluginOf(file.path());
            if (plugin != null) {
                plugins.add(EnvironmentRules.GUEST_ROOT + "/" + plugin);
            }
        }
        tree.put("files", listed);
        tree.put("plugins", plugins);
        tree.put("allowedTools", TOOLS);
        if (resumed != null) {
            tree.put("resumeToken", resumed.nativeId());
            tree.put("nativeType", resumed.nativeType());
            tree.put("checkpoint", checkpoint(resumed));
        }
        put(tree, "model", plan.model());
        put(tree, "effort", plan.effort());
        put(tree, "permissionMode", plan.permissionMode());
        return tree;
    }

    private static Map<String, Object> checkpoint(EnvironmentCheckpoint resumed) {
        List<Map<String, Object>> kept = new ArrayList<>();
        for (EnvironmentCheckpoint.Retained file : resumed.files()) {
            kept.add(Map.of("path", file.path(), "sha256", file.sha256(), "bytes", file.bytes()));
        }
        for (EnvironmentCheckpoint.Retained file : resumed.artifacts()) {
            kept.add(Map.of("path", file.path(), "sha256", file.sha256(), "bytes", file.bytes()));
        }
        return Map.of("nativeId", resumed.nativeId(), "nativeType", resumed.nativeType(), "files", kept);
    }

    private static void put(Map<String, Object> tree, String name, String value) {
        if (value != null) {
            tree.put(name, value);
        }
    }
}
