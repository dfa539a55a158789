package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;
import org.berth.work.WorkSelection;

/** Who may bring an artifact home, and what is recorded when it came. */
public final class ArtifactReceipt {
    private ArtifactReceipt() {}

    /** @throws BerthException artifact_task_mismatch unless the work item is the bound seat's */
    public static void requireTask(EnvironmentBinding binding, WorkSelection task) {
        if (task == null || !binding.config().seat().equals(task.destinationSession())) {
            throw new BerthException(ProblemCode.ARTIFACT_TASK_MISMATCH, "The work item is not one of the bound seat.");
        }
    }

    /** @throws BerthException artifact_caller_mismatch unless {@code actor} owns the work or assigned it */
    public static void requireCaller(WorkSelection task, Actor actor) {
        if (!actor.session().equals(task.destinationSession())
                && !actor.session().equals(task.sourceSession())) {
            throw new BerthException(
                    ProblemCode.ARTIFACT_CALLER_MISMATCH,
                    "Only the work's owner or the seat that assigned it may ask for its export.");
        }
    }

    /** @param path absolute host path of the published file */
    public static Map<String, Object> tree(
            EnvironmentBinding binding, ArtifactRequest request, Actor actor, String path) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", EnvironmentTrees.VERSION);
        tree.put("operationId", request.operationId());
        tree.put("bindingId", binding.bindingId());
        tree.put("nodeId", binding.config().nodeId());
        tree.put("generation", request.generation());
        tree.put("taskId", request.taskId());
        tree.put("path", path);
        tree.put("guestPath", guestPath(binding, request));
        tree.put("sha256", request.sha256());
        tree.put("bytes", request.bytes());
        tree.put("actor", actor.session());
        tree.put("identityProvenance", actor.provenance());
        tree.put("identityPrincipal", actor.principal());
        return tree;
    }

    public static String guestPath(EnvironmentBinding binding, ArtifactRequest request) {
        return binding.config().guestRoot() + "/" + ArtifactContract.DIRECTORY + "/" + request.path();
    }
}
