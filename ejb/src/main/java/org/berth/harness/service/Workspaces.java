package org.berth.harness.service;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.workspace.HandBack;
import org.berth.harness.workspace.IsolatedWorkspace;
import org.berth.harness.workspace.Lanes;
import org.berth.harness.workspace.Progress;
import org.berth.host.service.Host;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The isolated workspaces of this host's child sessions, in the state root. Source: harness.md, Isolated workspaces. */
@ApplicationScoped
public class Workspaces {
    /** Threads of one copy. Source: measured; more do not help on one disk. */
    private static final int MOST_LANES = 4;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    private IsolatedWorkspace workspaces;

    @PostConstruct
    void start() {
        workspaces = new IsolatedWorkspace(
                host.stateRoot(),
                new TreeListing(GitSurroundings.ofProcess()),
                new Lanes(
                        executor,
                        Math.max(1, Math.min(MOST_LANES, Runtime.getRuntime().availableProcessors()))));
    }

    /** The component itself, for placement's copies. */
    public IsolatedWorkspace component() {
        return workspaces;
    }

    /** @return the child's working directory */
    Path create(HarnessSession parent, String childId) {
        try {
            return workspaces
                    .create(Path.of(parent.cwd()), parent.sessionId(), childId, Progress.NONE)
                    .directory();
        } catch (IOException e) {
            throw storage(e);
        }
    }

    /** @return what the child's report carries */
    Map<String, Object> handBack(HarnessSession child) {
        HandBack handBack;
        try {
            handBack = workspaces.handBack(child.parentId(), child.sessionId());
        } catch (IOException e) {
            throw storage(e);
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("taken", handBack.taken());
        report.put("removed", handBack.removed());
        List<Object> conflicts = new ArrayList<>();
        for (HandBack.Conflict conflict : handBack.conflicts()) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("path", conflict.path());
            each.put("reason", Wire.name(conflict.reason()));
            each.put("childVersion", conflict.childVersion().orElse(null));
            conflicts.add(each);
        }
        report.put("conflicts", conflicts);
        report.put("same", handBack.same());
        report.put("unchanged", handBack.unchanged());
        return report;
    }

    private static BerthException storage(IOException cause) {
        return new BerthException(
                ProblemCode.STORAGE,
                "a file of the workspace cannot be read or written: " + cause.getMessage()
                        + "; nothing is lost, try again",
                cause);
    }
}
