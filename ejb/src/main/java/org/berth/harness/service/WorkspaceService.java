package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.access.service.GrantService;
import org.berth.harness.session.Workspace;
import org.berth.harness.session.WorkspaceMode;
import org.berth.harness.session.WorkspaceState;
import org.berth.harness.workspace.HandBack;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.CanonicalJson;
import org.berth.placement.ExecutionState;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.PhysicalPaths;
import org.berth.problem.BerthException;

/**
 * Workspaces on their own: a copy of a directory, and its changes brought home, without a session. The intent is committed before
 * the copy, what came of it afterwards. Source: api.md, Harness routes; harness.md, Isolated workspaces.
 */
@ApplicationScoped
public class WorkspaceService {
    /** What these workspaces are grouped under, beside the ids of parent sessions. */
    private static final String GROUP = "alone";

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private SessionChanges changes;

    @Inject
    private SessionDirectories directories;

    @Inject
    private Workspaces workspaces;

    @Inject
    private GrantService grants;

    @Inject
    private AttemptReader attempts;

    @Inject
    private Clock clock;

    /** @throws BerthException NOT_FOUND, also for a workspace that is another owner's */
    public Workspace visible(Caller caller, String workspaceId) {
        return changes.read(stores -> stores.workspaces().find(workspaceId))
                .filter(workspace -> caller.mayActFor(workspace.ownerId()))
                .orElseThrow(() -> BerthException.notFound("there is no such workspace of yours"));
    }

    /**
     * Makes one: for {@link WorkspaceMode#ISOLATED} a copy with a grant of its own, for {@link WorkspaceMode#SHARED} the
     * directory itself. Fails with TOO_LARGE or STORAGE; then there is none.
     *
     * @param parent an absolute path of the host
     * @throws BerthException INVALID, or DENIED without a right to write in the directory
     */
    public CompletionStage<Workspace> create(Caller caller, String parent, WorkspaceMode mode) {
        Path directory = directory(parent);
        String right =
                directories.grant(caller, directory, WorkspaceMode.SHARED).orElse(null);
        Instant now = now();
        Workspace intended = new Workspace(
                "workspace-" + UUID.randomUUID(),
                caller.ownerId(),
                host.hostId(),
                parent,
                mode,
                WorkspaceState.PREPARING,
                null,
                null,
                null,
                now,
                now,
                0);
        String id = intended.workspaceId();
        changes.change(stores -> stores.workspaces().insert(intended));
        if (mode == WorkspaceMode.SHARED) {
            return CompletableFuture.completedStage(ready(id, directory, right));
        }
        return workspaces
                .create(directory, GROUP, id)
                .thenApplyAsync(
                        copy -> ready(
                                id,
                                copy,
                                directories
                                        .grant(caller, copy, WorkspaceMode.ISOLATED)
                                        .orElse(null)),
                        executor)
                .whenCompleteAsync(
                        (made, failure) -> {
                            if (failure != null) {
                                changes.change(stores -> {
                                    stores.workspaces().remove(id);
                                    return null;
                                });
                            }
                        },
                        executor);
    }

    private static Path directory(String parent) {
        try {
            Path path = Path.of(parent);
            if (path.isAbsolute() && Files.isDirectory(path)) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw BerthException.invalid("parent is not a path: " + e.getReason());
        }
        throw BerthException.invalid("parent must be the absolute path of a directory that is there: " + parent);
    }

    private Workspace ready(String id, Path directory, String grant) {
        return changes.change(stores ->
                stores.workspaces().update(id, each -> each.withDirectory(directory.toString(), grant, now())));
    }

    /**
     * Brings its changes home; the grant of its copy ends. Repeated after its end it answers the same. Fails with STORAGE,
     * or CONFLICT during another hand-back: the copy stays, and the call may be repeated.
     *
     * @throws BerthException NOT_FOUND; CONFLICT while it is prepared, on another node, or while an attempt works in it
     */
    public CompletionStage<Workspace> handBack(Caller caller, String workspaceId) {
        Workspace workspace = visible(caller, workspaceId);
        if (workspace.state() == WorkspaceState.HANDED_BACK) {
            return CompletableFuture.completedStage(workspace);
        }
        requireHere(workspace);
        if (workspace.mode() == WorkspaceMode.SHARED) {
            return CompletableFuture.completedStage(
                    home(workspace, Workspaces.report(new HandBack(List.of(), List.of(), List.of(), 0, 0))));
        }
        requireIdle(workspace);
        return workspaces.handBack(GROUP, workspaceId).thenApplyAsync(report -> home(workspace, report), executor);
    }

    private void requireHere(Workspace workspace) {
        if (!workspace.hostId().equals(host.hostId())) {
            throw BerthException.conflict("the workspace is on host " + workspace.hostId() + "; ask that node");
        }
        if (workspace.state() == WorkspaceState.PREPARING) {
            throw BerthException.conflict("the workspace is being copied, or its copy was cut: make another one then");
        }
    }

    /** What an attempt writes during the hand-back could be lost. */
    private void requireIdle(Workspace workspace) {
        Path copy = PhysicalPaths.physical(Path.of(workspace.directory()));
        List<String> working = attempts.unfinished(host.hostId()).stream()
                .filter(attempt -> attempt.executionState() != ExecutionState.EXITED && worksIn(attempt, copy))
                .map(Attempt::attemptId)
                .toList();
        if (!working.isEmpty()) {
            throw BerthException.conflict(
                    "these attempts work in the workspace: " + String.join(", ", working) + "; stop them first");
        }
    }

    private static boolean worksIn(Attempt attempt, Path copy) {
        return attempt.resources().stream()
                .map(resource -> PhysicalPaths.physical(Path.of(resource.root()).resolve(resource.subpath())))
                .anyMatch(root -> root.startsWith(copy));
    }

    private Workspace home(Workspace workspace, Map<String, Object> report) {
        Workspace home = changes.change(stores -> stores.workspaces()
                .update(
                        workspace.workspaceId(),
                        each -> each.state() == WorkspaceState.HANDED_BACK
                                ? each
                                : each.withHandBack(CanonicalJson.write(report), now())));
        if (workspace.mode() == WorkspaceMode.ISOLATED && workspace.grantRef() != null) {
            grants.revoke(new Caller(workspace.ownerId(), Set.of(Role.OPERATOR), "workspace"), workspace.grantRef());
        }
        return home;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
