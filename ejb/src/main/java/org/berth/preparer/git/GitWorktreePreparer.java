package org.berth.preparer.git;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.environment.HostCommands;
import org.berth.host.service.Host;
import org.berth.placement.ExecutableResolver;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * {@code git-worktree}: the launch works in a worktree of its own, on a branch of its own; what is not committed at its end
 * stays, with a reason. Source: placement.md, Preparers.
 */
@ApplicationScoped
public class GitWorktreePreparer implements WorkdirPreparer {
    /** Where git's settings of this user lie. */
    private static final List<String> KEPT = List.of("HOME", "XDG_CONFIG_HOME");

    private final Git git;

    /** For the container's proxy. */
    protected GitWorktreePreparer() {
        this((Git) null);
    }

    @Inject
    GitWorktreePreparer(Host host, HostCommands commands) {
        this(new Git(
                commands,
                () -> ExecutableResolver.resolve("git", host.policy().path()).toString(),
                () -> environment(host.policy().path())));
    }

    GitWorktreePreparer(Git git) {
        this.git = git;
    }

    static Map<String, String> environment(List<String> path) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", String.join(":", path));
        environment.put("LC_ALL", "C");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        environment.put("GIT_OPTIONAL_LOCKS", "0");
        // A partial clone would fetch with programs that its configuration names; no configuration allows a name that
        // is not listed here.
        environment.put("GIT_ALLOW_PROTOCOL", "none");
        for (String name : KEPT) {
            if (System.getenv(name) != null) {
                environment.put(name, System.getenv(name));
            }
        }
        return environment;
    }

    @Override
    public String name() {
        return "git-worktree";
    }

    @Override
    public String binding() {
        return "git-worktree@1";
    }

    @Override
    public Set<String> options() {
        return Set.of(WorktreeOption.NAME);
    }

    @Override
    public void admit(Map<String, Object> options) {
        WorktreeOption.of(options.get(WorktreeOption.NAME));
    }

    @Override
    public Plan plan(Context context) {
        WorktreeOption option = WorktreeOption.of(context.options().get(WorktreeOption.NAME));
        if (option == null) {
            return null;
        }
        WorktreeState state = new WorktreePlan(git).of(context, option);
        return new Plan(state.toMap(), state.directory());
    }

    @Override
    public Setup setup(Context context, Map<String, Object> recorded) {
        WorktreeState state = WorktreeState.of(recorded);
        try {
            new WorktreeSetup(git).make(state);
        } catch (IOException e) {
            throw storage(e);
        }
        // A commit writes objects and references there.
        return new Setup(state.directory(), List.of(state.metadata()), List.<Path>of());
    }

    @Override
    public Cleanup cleanup(Context context, Map<String, Object> recorded) {
        try {
            return new WorktreeCleanup(git).of(WorktreeState.of(recorded));
        } catch (IOException e) {
            throw storage(e);
        }
    }

    private static BerthException storage(IOException cause) {
        return new BerthException(
                ProblemCode.STORAGE, "a file of the worktree or its repository cannot be read or written", cause);
    }
}
