package org.berth.environment;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.problem.BerthException;

/**
 * The last attempt at a completion, as it stands on the operation. {@code lastAttemptAt} is in milliseconds since 1970.
 * Source: the reference's receipt of a completion.
 */
public final class CompletionAttempt {
    private static final String AT = "lastAttemptAt";

    private CompletionAttempt() {}

    /** What is written before the stop is asked for. */
    public static Map<String, Object> begun(CompletionSelection selection, Instant now) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("state", "pending");
        tree.put("detail", "The selected stop is being checked.");
        return marked(tree, selection, now);
    }

    /** @param effect the stop's receipt */
    public static Map<String, Object> observed(
            CompletionSelection selection, Map<String, Object> effect, Instant begun) {
        return marked(new LinkedHashMap<>(effect), selection, begun);
    }

    /** @param refusal what the stop was refused with; null when nothing is known of it */
    public static Map<String, Object> unconfirmed(
            CompletionSelection selection, BerthException refusal, Instant begun) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("state", "unconfirmed");
        tree.put("detail", "The selected stop is not confirmed; nothing else was stopped in its place.");
        if (refusal != null) {
            tree.put("code", refusal.code().wire());
        }
        return marked(tree, selection, begun);
    }

    public static boolean isConfirmed(Map<String, Object> attempt) {
        return "confirmed".equals(attempt.get("state"));
    }

    /** When {@code attempt} began; null for an empty one. */
    public static Instant at(Map<String, Object> attempt) {
        return attempt.get(AT) instanceof Number millis ? Instant.ofEpochMilli(millis.longValue()) : null;
    }

    private static Map<String, Object> marked(Map<String, Object> tree, CompletionSelection selection, Instant begun) {
        tree.put(AT, begun.toEpochMilli());
        tree.put("taskId", selection.taskId());
        tree.put("exportOperationId", selection.exportOperationId());
        return tree;
    }
}
