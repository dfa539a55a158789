package org.berth.harness.service;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.harness.ignore.GitSurroundings;
import org.berth.harness.ignore.TreeListing;
import org.berth.harness.workspace.HandBack;
import org.berth.harness.workspace.IsolatedWorkspace;
import org.berth.harness.workspace.Lanes;
import org.berth.harness.workspace.Progress;
import org.berth.host.service.Host;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The isolated workspaces of this host, in the state root. Copies and hand-backs have threads of their own, so that long ones
 * hold up nothing else; those past {@link #MOST_AT_ONCE} wait for their turn. Source: harness.md, Isolated workspaces.
 */
@ApplicationScoped
public class Workspaces {
    private static final Logger LOG = Logger.getLogger(Workspaces.class.getName());

    /** Threads of one copy. Source: measured; more do not help on one disk. */
    private static final int MOST_LANES = 4;

    /** Copies and hand-backs that go on together. Source: an own choice; one disk serves them all. */
    private static final int MOST_AT_ONCE = 4;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    private final ExecutorService threads = Executors.newFixedThreadPool(
            MOST_AT_ONCE,
            task -> Thread.ofPlatform().name("berth-workspaces").daemon().unstarted(task));
    private IsolatedWorkspace workspaces;

    @PostConstruct
    void start() {
        workspaces = new IsolatedWorkspace(
                host.stateRoot(),
                new TreeListing(GitSurroundings.ofProcess()),
                new Lanes(
                        executor,
                        Math.max(1, Math.min(MOST_LANES, Runtime.getRuntime().availableProcessors()))));
        try {
            workspaces.sweep(executor);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "what earlier hand-backs left is not removed", e);
        }
    }

    /** The component itself, for placement's copies. */
    public IsolatedWorkspace component() {
        return workspaces;
    }

    @PreDestroy
    void end() {
        threads.shutdown();
    }

    /**
     * Copies a directory. Fails with TOO_LARGE, CONFLICT, INVALID or STORAGE.
     *
     * @param group the parent session, or what else the workspace belongs to
     * @return the child's working directory
     */
    CompletionStage<Path> create(Path parent, String group, String childId) {
        return on(() -> workspaces.create(parent, group, childId, Progress.NONE).directory());
    }

    /** Takes the child's changes home. Fails with NOT_FOUND, CONFLICT or STORAGE. @return what the child's report carries */
    CompletionStage<Map<String, Object>> handBack(String group, String childId) {
        return on(() -> report(workspaces.handBack(group, childId, executor)));
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> CompletionStage<T> on(Work<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.run();
                    } catch (IOException e) {
                        throw storage(e);
                    }
                },
                threads);
    }

    static Map<String, Object> report(HandBack handBack) {
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
