package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationKind;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.driver.ShippedFiles;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.LaunchJournal;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Member;
import org.berth.rig.Rig;
import org.berth.rig.RigDirectory;
import org.berth.rig.store.RigRepository;
import org.berth.startup.MemberCommand;
import org.berth.startup.StartupPlan;
import org.berth.work.Actor;

/**
 * Starts the members of a rig, each for itself: one that fails does not hold up the others. A contained member needs its
 * bound environment and has no host in its place. Source: environments.md, Rigs, startup.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class RigStart {
    private static final String LOCAL = "local:";
    private static final String AGENT_FILE = "agent.yaml";

    @Inject
    private RigRepository rigs;

    @Inject
    private RigDirectory directory;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentFiles files;

    @Inject
    private StartupProjection projection;

    @Inject
    private LaunchService launches;

    @Inject
    private CommandMembers commands;

    /**
     * @param seats the seats to start; empty for all
     * @return one row for each member: nodeId, seat, runtime, status ({@code up} or {@code attention_required}), and
     *     what was launched or why not
     * @throws BerthException rig_missing, seat_missing
     */
    public List<Map<String, Object>> up(String rigId, Set<String> seats, Actor actor) {
        Rig rig = rigs.find(rigId)
                .orElseThrow(() -> new BerthException(ProblemCode.RIG_MISSING, "There is no such rig."));
        List<Member> members = rigs.members(rigId);
        seats.stream()
                .filter(seat -> members.stream()
                        .noneMatch(member -> member.node().seat().equals(seat)))
                .findFirst()
                .ifPresent(seat -> {
                    throw new BerthException(ProblemCode.SEAT_MISSING, "The rig has no seat " + seat + ".");
                });
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Member member : members) {
            if (seats.isEmpty() || seats.contains(member.node().seat())) {
                rows.add(started(rig, member, actor));
            }
        }
        return rows;
    }

    private Map<String, Object> started(Rig rig, Member member, Actor actor) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("nodeId", member.node().nodeId());
        row.put("seat", member.node().seat());
        row.put("runtime", member.node().runtime());
        try {
            if (member.node().runtime().equals(MemberCommand.RUNTIME)) {
                command(rig, member, actor, row);
                return row;
            }
            if (!member.node().runtime().equals(EnvironmentRules.RUNTIME)) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_LAUNCH_UNSUPPORTED,
                        "This version has no placement driver for runtime "
                                + member.node().runtime() + "; it starts members of runtime " + EnvironmentRules.RUNTIME
                                + " and " + MemberCommand.RUNTIME + ". Start "
                                + member.node().seat() + " with berth run.");
            }
            LaunchOutcome outcome = contained(rig, member, actor);
            row.put("status", "up");
            row.put("generation", outcome.receipt().get("generation"));
            row.put("bindingId", outcome.receipt().get("bindingId"));
            row.put("nativeId", outcome.receipt().get("nativeId"));
            row.put("viewer", outcome.viewer());
            row.put("warnings", outcome.warnings());
        } catch (BerthException e) {
            row.put("status", "attention_required");
            row.put("code", e.code().wire());
            row.put("error", e.getMessage());
        }
        return row;
    }

    /** A command takes no startup inputs; the row says which stayed behind. */
    private void command(Rig rig, Member member, Actor actor, Map<String, Object> row) {
        Path agent = agent(rig, member);
        AgentFile file = new AgentFile(agent, ShippedFiles.root());
        String yaml = yaml(agent);
        StartupPlan plan = file.plan(yaml, member.profile());
        CommandMembers.Running running = commands.up(member, file.command(yaml, member.profile()), actor);
        row.put("status", "up");
        row.put("generation", running.generation());
        row.put("attemptId", running.attempt().attemptId());
        int left = plan.inputs().size() + plan.files().size();
        row.put(
                "warnings",
                left == 0 ? List.of() : List.of("A command takes no startup inputs; " + left + " are not delivered."));
    }

    private LaunchOutcome contained(Rig rig, Member member, Actor actor) {
        String seat = member.node().seat();
        BindingRecord record = reader.forNode(member.node().nodeId(), seat)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_BINDING_MISSING,
                        "The seat " + seat + " has no environment; create or attach one first (berth environment"
                                + " create). No host takes its place."));
        StartupPlan plan = plan(rig, member);
        String saved = savedGeneration(record);
        String generation = saved == null ? directory.reserve(member.node().nodeId(), null) : saved;
        LaunchSelection selection = new LaunchSelection(generation, null, null, plan);
        if (saved == null) {
            BindingRecord claimed = launches.preflight(record.bindingId(), selection);
            projection.project(claimed, generation, plan, member.node().cwd());
        }
        return launches.launch(record.bindingId(), selection, actor);
    }

    /** The generation that was launched on this compute; null when none was. */
    private String savedGeneration(BindingRecord record) {
        if (record.binding().resource() == null) {
            return null;
        }
        return reader.operations(record).stream()
                .filter(operation -> operation.kind() == OperationKind.LAUNCH)
                .map(LaunchJournal::request)
                .filter(request -> record.binding().resource().id().equals(request.get("resourceId")))
                .map(request -> (String) request.get("generation"))
                .findFirst()
                .orElse(null);
    }

    private StartupPlan plan(Rig rig, Member member) {
        Path agent = agent(rig, member);
        return new AgentFile(agent, ShippedFiles.root()).plan(yaml(agent), member.profile());
    }

    private String yaml(Path agent) {
        return new String(files.read(agent.resolve(AGENT_FILE).toString()), StandardCharsets.UTF_8);
    }

    private static Path agent(Rig rig, Member member) {
        if (!member.agentRef().startsWith(LOCAL)) {
            throw new BerthException(
                    ProblemCode.RIG_FILE_INVALID,
                    "agent_ref of " + member.node().memberId() + " must be local: and a directory of the rig.");
        }
        return Path.of(rig.root())
                .resolve(member.agentRef().substring(LOCAL.length()))
                .normalize();
    }
}
