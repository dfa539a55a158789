package org.berth.preparer.copy;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.berth.harness.service.Workspaces;
import org.berth.harness.workspace.HandBack;
import org.berth.harness.workspace.IsolatedWorkspace;
import org.berth.harness.workspace.Progress;
import org.berth.host.service.Host;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * {@code isolated-copy}: the launch works in a copy of the tracked and the not ignored files of its working directory. At
 * its end what it changed is taken back; where both sides changed a file, the directory's own stays and the launch's is
 * kept beside the copy. A copy whose grant no longer holds is kept whole. Where a worktree is asked for as well, the copy
 * is of the worktree. Source: placement.md, Preparers; harness.md, Isolated workspaces.
 */
@ApplicationScoped
public class IsolatedCopyPreparer implements WorkdirPreparer {
    private static final String OPTION = "isolated";

    /** Where copies of launches lie among the workspaces. */
    static final String LAUNCHES = "launches";

    private final Supplier<IsolatedWorkspace> workspaces;
    private final Supplier<Path> stateRoot;

    /** For the container's proxy. */
    protected IsolatedCopyPreparer() {
        this(() -> null, () -> null);
    }

    @Inject
    IsolatedCopyPreparer(Workspaces workspaces, Host host) {
        this(workspaces::component, host::stateRoot);
    }

    IsolatedCopyPreparer(Supplier<IsolatedWorkspace> workspaces, Supplier<Path> stateRoot) {
        this.workspaces = workspaces;
        this.stateRoot = stateRoot;
    }

    @Override
    public String name() {
        return "isolated-copy";
    }

    @Override
    public String binding() {
        return "isolated-copy@1";
    }

    @Override
    public Set<String> options() {
        return Set.of(OPTION);
    }

    @Override
    public void admit(Map<String, Object> options) {
        isAsked(options);
    }

    @Override
    public Plan plan(Context context) {
        if (!isAsked(context.options())) {
            return null;
        }
        Path source = context.workingDirectory();
        if (!isGranted(context, source)) {
            throw new BerthException(
                    ProblemCode.DENIED,
                    "options.isolated needs a working directory with a write grant, which its changes are taken back to");
        }
        return new Plan(Map.of("source", source.toString()), copy(context));
    }

    @Override
    public Setup setup(Context context, Map<String, Object> state) {
        try {
            Path copy = workspaces
                    .get()
                    .create(source(state), LAUNCHES, context.attemptKey(), Progress.NONE)
                    .directory();
            return new Setup(copy, List.of(), List.of(copy));
        } catch (IOException e) {
            throw storage(e);
        }
    }

    @Override
    public Cleanup cleanup(Context context, Map<String, Object> state) {
        String key = context.attemptKey();
        Path source = source(state);
        try {
            if (!isComplete(context)) {
                workspaces.get().discard(LAUNCHES, key);
                return new Cleanup(null, counts(0, 0, 0));
            }
            if (!isHandedBack(context)) {
                String reason = reasonToKeep(context, source);
                if (reason != null) {
                    return new Cleanup(reason, Map.of("copy", copy(context).toString()));
                }
            }
            return handedBack(context, workspaces.get().handBack(LAUNCHES, key));
        } catch (IOException e) {
            throw storage(e);
        }
    }

    private static String reasonToKeep(Context context, Path source) throws IOException {
        if (!context.grantsHold()) {
            return "a grant of the launch was revoked or expired; the copy is kept";
        }
        if (!Files.isDirectory(source)) {
            return "the directory that was copied is gone; the copy is kept";
        }
        if (!source.toRealPath().equals(source) || !isGranted(context, source)) {
            return "the directory that was copied is outside the write grants by now; the copy is kept";
        }
        return null;
    }

    private Cleanup handedBack(Context context, HandBack done) throws IOException {
        int conflicts = done.conflicts().size();
        Map<String, Object> detail = counts(done.taken().size(), done.removed().size(), conflicts);
        if (conflicts == 0) {
            workspaces.get().discard(LAUNCHES, context.attemptKey());
            return new Cleanup(null, detail);
        }
        detail.put(
                "conflicts_directory", copy(context).resolveSibling("conflicts").toString());
        return new Cleanup(conflicts + " paths changed on both sides; the launch's versions are kept", detail);
    }

    private static Map<String, Object> counts(int taken, int removed, int conflicts) {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("taken", taken);
        counts.put("removed", removed);
        counts.put("conflicts", conflicts);
        return counts;
    }

    private static boolean isAsked(Map<String, Object> options) {
        Object value = options.getOrDefault(OPTION, false);
        if (!(value instanceof Boolean asked)) {
            throw BerthException.invalid("options.isolated must be true or false");
        }
        return asked;
    }

    private static boolean isGranted(Context context, Path directory) {
        return context.writeRoots().stream().anyMatch(directory::startsWith);
    }

    private static Path source(Map<String, Object> state) {
        return Path.of((String) state.get("source"));
    }

    /** As the harness lays workspaces out, which placement's authority knows too. */
    private Path copy(Context context) {
        return stateRoot
                .get()
                .resolve("workspaces")
                .resolve(LAUNCHES)
                .resolve(context.attemptKey())
                .resolve("copy");
    }

    private boolean isComplete(Context context) {
        return Files.exists(copy(context).resolveSibling("manifest"));
    }

    private boolean isHandedBack(Context context) {
        return Files.exists(copy(context).resolveSibling("handback.json"));
    }

    private static BerthException storage(IOException cause) {
        return new BerthException(
                ProblemCode.STORAGE,
                "a file of the copy or of its directory cannot be read or written; nothing is lost, try again",
                cause);
    }
}
