package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.driver.ShippedFiles;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Member;
import org.berth.rig.Rig;
import org.berth.startup.MemberCommand;
import org.berth.startup.StartupPlan;

/** What members start with: as their agent files say today, and as a snapshot keeps it. */
@ApplicationScoped
public class MemberPlans {
    private static final String LOCAL = "local:";
    private static final String AGENT_FILE = "agent.yaml";

    @Inject
    private EnvironmentFiles files;

    /** @throws BerthException rig_file_invalid; those of {@link EnvironmentFiles#read} */
    public StartupPlan today(Rig rig, Member member) {
        Path agent = agent(rig, member);
        return new AgentFile(agent, ShippedFiles.root()).plan(yaml(agent), member.profile());
    }

    /** What a member of runtime {@value MemberCommand#RUNTIME} runs. @throws BerthException as {@link #today} */
    MemberCommand command(Rig rig, Member member) {
        Path agent = agent(rig, member);
        return new AgentFile(agent, ShippedFiles.root()).command(yaml(agent), member.profile());
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

    /** {@code plan} for a record that outlives this installation: what Berth ships is named as such, not by its place. */
    public Map<String, Object> kept(StartupPlan plan) {
        return plan.tree(path -> {
            Path root = ShippedFiles.root();
            return Path.of(path).startsWith(root) ? ShippedFiles.PREFIX + root.relativize(Path.of(path)) : path;
        });
    }

    /** The reverse of {@link #kept}. */
    public StartupPlan of(Map<String, Object> kept) {
        return StartupPlan.of(
                kept,
                path -> path.startsWith(ShippedFiles.PREFIX)
                        ? ShippedFiles.root()
                                .resolve(path.substring(ShippedFiles.PREFIX.length()))
                                .toString()
                        : path);
    }
}
