package org.berth.environment.service;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationState;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * How the last try of a checkpoint that is not recorded went; it stands where the receipt will.
 *
 * @param executionId the batch execution
 * @param code the wire name of the refusal; null while it runs
 * @param status the refusal's HTTP status; 0 while it runs
 * @param detail the refusal's sentence; null while it runs
 */
record CheckpointAttempt(long executionId, String code, int status, String detail) {
    /** The member of attempts and of receipts that names the execution: {@value}. */
    static final String EXECUTION = "executionId";

    private static final String RUNNING = "running";
    private static final String FAILED = "failed";

    static CheckpointAttempt running(long executionId) {
        return new CheckpointAttempt(executionId, null, 0, null);
    }

    static CheckpointAttempt failed(long executionId, BerthException problem) {
        return new CheckpointAttempt(executionId, problem.code().wire(), problem.status(), problem.getMessage());
    }

    /** The last try; null before the first, and of a recorded checkpoint. */
    static CheckpointAttempt of(EnvironmentOperation operation) {
        if (operation.receipt() == null || operation.state() == OperationState.CONFIRMED) {
            return null;
        }
        Map<String, Object> tree = StrictJson.object(operation.receipt());
        return new CheckpointAttempt(
                executionId(operation),
                (String) tree.get("code"),
                ((Number) tree.getOrDefault("status", 0L)).intValue(),
                (String) tree.get("detail"));
    }

    /** The last execution, of a recorded checkpoint too; 0 before the first. */
    static long executionId(EnvironmentOperation operation) {
        return operation.receipt() != null
                        && StrictJson.object(operation.receipt()).get(EXECUTION) instanceof Number known
                ? known.longValue()
                : 0;
    }

    boolean failed() {
        return code != null;
    }

    /** The refusal of the last try again. */
    BerthException problem() {
        ProblemCode known = ProblemCode.parse(code).orElse(ProblemCode.ENVIRONMENT_UNCONFIRMED);
        return new BerthException(known, status, detail);
    }

    /** What ended a refused operation: its last try, or its removal. */
    static BerthException refusal(EnvironmentOperation operation) {
        CheckpointAttempt last = of(operation);
        return last != null && last.failed() && last.code.equals(operation.refusal())
                ? last.problem()
                : new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, "The checkpoint was removed.");
    }

    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("state", failed() ? FAILED : RUNNING);
        tree.put(EXECUTION, executionId);
        if (failed()) {
            tree.put("code", code);
            tree.put("status", status);
            tree.put("detail", detail);
        }
        return tree;
    }
}
