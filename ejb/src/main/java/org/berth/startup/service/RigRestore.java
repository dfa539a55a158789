package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.access.Caller;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.Recreation;
import org.berth.environment.ResumeSelection;
import org.berth.environment.SnapshotReference;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.LaunchJournal;
import org.berth.environment.service.RecreationJournal;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Member;
import org.berth.rig.Rig;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigSnapshot;
import org.berth.rig.service.RigService;
import org.berth.startup.StartupPlan;
import org.berth.work.Actor;

/**
 * Restores the members of a rig as a snapshot keeps them, each for itself: on recreated compute, with its context staged
 * and its exact conversation, or not at all. No text and no action is given to a conversation. Source: environments.md,
 * Rigs, restore; the reference's restore orchestrator.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class RigRestore {
    @Inject
    private RigService rigs;

    @Inject
    private RigDirectory directory;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private LaunchJournal journal;

    @Inject
    private RecreationJournal recreations;

    @Inject
    private MemberPlans plans;

    @Inject
    private StartupProjection projection;

    @Inject
    private LaunchService launches;

    /**
     * @return one row for each node of the snapshot: nodeId, seat, runtime, status ({@code resumed} or {@code
     *     attention_required}), and what was launched or why not
     * @throws BerthException rig_missing
     */
    public List<Map<String, Object>> restore(Caller caller, RigSnapshot snapshot, Actor actor) {
        Rig rig = rigs.visible(caller, snapshot.rigId());
        Map<String, Member> members = new LinkedHashMap<>();
        rigs.members(caller, rig.rigId())
                .forEach(member -> members.put(member.node().nodeId(), member));
        Map<String, Object> data = StrictJson.object(snapshot.data());
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object each : (List<?>) data.get("nodes")) {
            Map<?, ?> node = (Map<?, ?>) each;
            rows.add(row(rig, node, members.get(node.get("id")), data, actor));
        }
        return rows;
    }

    private Map<String, Object> row(Rig rig, Map<?, ?> node, Member member, Map<String, Object> data, Actor actor) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("nodeId", node.get("id"));
        row.put("seat", node.get("seat"));
        row.put("runtime", node.get("runtime"));
        try {
            LaunchOutcome outcome = restored(rig, member, data, actor);
            row.put("status", "resumed");
            for (String name : List.of("generation", "bindingId", "nativeType", "nativeId", "checkpoint")) {
                row.put(name, outcome.receipt().get(name));
            }
            row.put("viewer", outcome.viewer());
            row.put("warnings", outcome.warnings());
            if (outcome.context() != null) {
                row.put("context", outcome.context().tree());
            }
        } catch (BerthException e) {
            row.put("status", "attention_required");
            row.put("code", e.code().wire());
            row.put("error", e.getMessage());
        }
        return row;
    }

    private LaunchOutcome restored(Rig rig, Member member, Map<String, Object> data, Actor actor) {
        if (member == null) {
            throw new BerthException(ProblemCode.ENVIRONMENT_NODE_MISSING, "The rig no longer has this node.");
        }
        if (!member.node().runtime().equals(EnvironmentRules.RUNTIME)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_RESTORE_UNSUPPORTED,
                    "Members of runtime " + EnvironmentRules.RUNTIME + " only are restored; start "
                            + member.node().seat() + " (" + member.node().runtime() + ") with berth rig up.");
        }
        String nodeId = member.node().nodeId();
        BindingRecord record = reader.forNode(nodeId, member.node().seat())
                .orElseThrow(() ->
                        new BerthException(ProblemCode.ENVIRONMENT_BINDING_MISSING, "The seat has no environment."));
        ResumeSelection resume = selection(of(data, "environmentBindingsByNode", nodeId));
        Map<String, Object> kept = of(data, "nodeStartupContext", nodeId);
        StartupPlan plan = kept == null ? plans.today(rig, member) : plans.of(kept);
        BindingRecord claimed = launches.preflight(record.bindingId(), new LaunchSelection(null, resume, plan));
        String generation = recreations
                .present(claimed)
                .map(Recreation::successorGeneration)
                .orElseGet(() -> directory.reserve(nodeId, null));
        recreations.claim(claimed, generation);
        if (journal.saved(claimed, generation).isEmpty()) {
            projection.project(claimed, generation, plan, member.node().cwd());
        }
        return launches.launch(claimed.bindingId(), new LaunchSelection(generation, resume, plan), actor);
    }

    private static ResumeSelection selection(Map<String, Object> kept) {
        SnapshotReference reference = kept == null ? null : SnapshotReference.of(kept);
        if (reference == null || reference.checkpointId() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING,
                    "The snapshot keeps no checkpoint of this seat; nothing was started.");
        }
        return new ResumeSelection(reference.nativeType(), reference.nativeId(), reference);
    }

    /** Null when the snapshot has no such part of the node. */
    private static Map<String, Object> of(Map<String, Object> data, String part, String nodeId) {
        if (!(data.get(part) instanceof Map<?, ?> byNode) || !(byNode.get(nodeId) instanceof Map<?, ?> found)) {
            return null;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        found.forEach((key, value) -> tree.put((String) key, value));
        return tree;
    }
}
