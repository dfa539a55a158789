package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.berth.access.Caller;
import org.berth.environment.CheckpointUses;
import org.berth.environment.EnvironmentCheckpoints;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.SnapshotReference;
import org.berth.environment.service.EnvironmentReader;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Member;
import org.berth.rig.Rig;
import org.berth.rig.RigSnapshot;
import org.berth.rig.service.RigService;
import org.berth.rig.store.SnapshotRepository;
import org.berth.startup.StartupPlan;
import org.berth.work.Actor;

/**
 * Keeps what a rig is at one moment, by reference: its nodes, their bindings with the newest checkpoint, and what each
 * member starts with. Source: environments.md, Rigs, snapshots; the reference's snapshot capture.
 */
@ApplicationScoped
public class SnapshotService implements CheckpointUses {
    @Inject
    private RigService rigs;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentCheckpoints checkpoints;

    @Inject
    private MemberPlans plans;

    @Inject
    private SnapshotLedger ledger;

    @Inject
    private SnapshotRepository snapshots;

    @Inject
    private Clock clock;

    /** @throws BerthException rig_missing */
    public RigSnapshot take(Caller caller, String rigId, Actor actor) {
        Rig rig = rigs.visible(caller, rigId);
        List<Member> members = rigs.members(caller, rigId);
        Map<String, Object> bindings = new LinkedHashMap<>();
        Map<String, Object> contexts = new LinkedHashMap<>();
        Set<String> referred = new LinkedHashSet<>();
        for (Member member : members) {
            String nodeId = member.node().nodeId();
            reader.forNode(nodeId, member.node().seat())
                    .flatMap(record -> SnapshotReference.of(record.binding(), checkpoints.newest(record.bindingId())))
                    .ifPresent(reference -> {
                        bindings.put(nodeId, reference.tree());
                        if (reference.checkpointId() != null) {
                            referred.add(reference.checkpointId());
                        }
                    });
            StartupPlan plan = plan(rig, member);
            if (plan != null) {
                contexts.put(nodeId, plans.kept(plan));
            }
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rig", Map.of("id", rig.rigId(), "name", rig.name()));
        data.put("nodes", nodes(members));
        data.put("environmentBindingsByNode", bindings);
        data.put("nodeStartupContext", contexts);
        RigSnapshot snapshot = new RigSnapshot(
                UUID.randomUUID().toString(),
                rig.rigId(),
                rig.name(),
                RigSnapshot.MANUAL,
                CanonicalJson.write(data),
                actor.session(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        ledger.insert(snapshot, referred);
        return snapshot;
    }

    /** Newest first. @param after null for the first page @throws BerthException rig_missing, INVALID */
    public List<RigSnapshot> page(Caller caller, String rigId, String after, int limit) {
        return snapshots.page(rigs.visible(caller, rigId).rigId(), after, limit);
    }

    /** @throws BerthException snapshot_missing, also for a snapshot of another rig than the seat's own */
    public RigSnapshot visible(Caller caller, String snapshotId) {
        RigSnapshot found = snapshots.find(snapshotId).orElseThrow(SnapshotService::missing);
        try {
            rigs.visible(caller, found.rigId());
        } catch (BerthException e) {
            throw missing();
        }
        return found;
    }

    /** @throws BerthException snapshot_missing */
    public void delete(Caller caller, String snapshotId) {
        if (!ledger.delete(visible(caller, snapshotId).snapshotId())) {
            throw missing();
        }
    }

    @Override
    public List<String> uses(String checkpointId) {
        return snapshots.referring(checkpointId).stream()
                .map(id -> "snapshot " + id)
                .toList();
    }

    /** Null for a member that starts outside an environment, and while its agent file cannot be read. */
    private StartupPlan plan(Rig rig, Member member) {
        if (!member.node().runtime().equals(EnvironmentRules.RUNTIME)) {
            return null;
        }
        try {
            return plans.today(rig, member);
        } catch (BerthException e) {
            return null;
        }
    }

    private static List<Map<String, Object>> nodes(List<Member> members) {
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (Member member : members) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("id", member.node().nodeId());
            node.put("memberId", member.node().memberId());
            node.put("seat", member.node().seat());
            node.put("runtime", member.node().runtime());
            node.put("agentRef", member.agentRef());
            node.put("profile", member.profile());
            node.put("cwd", member.node().cwd());
            nodes.add(node);
        }
        return nodes;
    }

    private static BerthException missing() {
        return new BerthException(ProblemCode.SNAPSHOT_MISSING, "There is no such snapshot.");
    }
}
