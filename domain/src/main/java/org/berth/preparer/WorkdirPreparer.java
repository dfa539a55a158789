package org.berth.preparer;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.placement.ResolvedResource;

/**
 * One extension. The host's policy authorises it by name; {@code setup} and {@code cleanup} are called only behind a
 * stored plan, and may be called again. Stateless, for any thread. Source: placement.md, Preparers.
 */
public interface WorkdirPreparer {
    /** As host.yaml names it. */
    String name();

    /** What its plan and its setup do now; another value cannot replace the one of a stored plan. */
    String binding();

    /** The request's options that it handles. */
    Set<String> options();

    /**
     * Whether the options that it handles have a form that it knows; asked at prepare, before there is an attempt.
     *
     * @param options those that it declares and the request has; never empty
     * @throws org.berth.problem.BerthException INVALID, naming the option
     */
    void admit(Map<String, Object> options);

    /**
     * Decides, reading only. Makes nothing.
     *
     * @return null when the launch asks nothing of it
     * @throws org.berth.problem.BerthException INVALID, DENIED or CONFLICT, which refuses the launch
     */
    Plan plan(Context context);

    /**
     * Makes what the plan says; again without harm.
     *
     * @throws org.berth.problem.BerthException what refuses the launch
     */
    Setup setup(Context context, Map<String, Object> state);

    /**
     * Takes away what setup made, as far as nothing is lost by it; again without harm.
     *
     * @throws org.berth.problem.BerthException when it cannot be told or done now; it is tried again by the sweep
     */
    Cleanup cleanup(Context context, Map<String, Object> state);

    /**
     * The launch, as it was admitted.
     *
     * @param attemptKey derived, unique, 32 hex digits
     * @param workingDirectory physical path; what earlier preparers move it to; null in cleanup, which has its state
     * @param resources the resolved resources
     * @param writeRoots physical roots that the launch may write
     * @param options the request's options that this preparer declares; empty in cleanup
     * @param grantsHold whether the grants still hold; what a copy brings home is refused otherwise
     */
    record Context(
            String attemptId,
            String attemptKey,
            String ownerId,
            Path workingDirectory,
            List<ResolvedResource> resources,
            List<Path> writeRoots,
            Map<String, Object> options,
            boolean grantsHold) {
        public Context {
            resources = List.copyOf(resources);
            writeRoots = List.copyOf(writeRoots);
        }
    }

    /**
     * What setup will do.
     *
     * @param state plain JSON values, at most 64 KiB as canonical JSON
     * @param workingDirectory where setup will move the agent, so that later preparers plan for that place; null where it
     *     stays
     */
    record Plan(Map<String, Object> state, Path workingDirectory) {}

    /**
     * What setup made.
     *
     * @param workingDirectory where the agent works now; null for where it was
     * @param writableRoots further directories that it may write, each inside a write root or a derived root
     * @param derivedRoots directories of Berth's own that stand for a write root
     */
    record Setup(Path workingDirectory, List<Path> writableRoots, List<Path> derivedRoots) {
        public Setup {
            writableRoots = List.copyOf(writableRoots);
            derivedRoots = List.copyOf(derivedRoots);
        }
    }

    /**
     * What cleanup came to.
     *
     * @param retained why something stays; null when all is gone
     * @param detail what evidence says beside it; names and counts, no content
     */
    record Cleanup(String retained, Map<String, Object> detail) {}
}
