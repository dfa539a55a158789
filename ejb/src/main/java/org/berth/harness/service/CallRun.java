package org.berth.harness.service;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.harness.call.CallOutcome;
import org.berth.harness.call.ToolCall;
import org.berth.harness.call.Usage;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.output.OutputView;
import org.berth.harness.output.Truncation;
import org.berth.placement.CanonicalJson;
import org.berth.placement.service.Failures;

/**
 * One running call of a tool: what it reported, and its one answer. Any thread may call.
 *
 * <pre>
 *   running --the tool answers--> ok
 *   running --the tool fails----> error
 *   running --abort-------------> aborted
 * </pre>
 */
final class CallRun {
    private static final Logger LOG = Logger.getLogger(CallRun.class.getName());

    private final String id;
    private final ToolCall call;
    private final Truncation truncation;
    private final CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    private final List<String> warnings = new ArrayList<>();
    private Runnable stop = () -> {};
    private boolean aborted;

    CallRun(String id, ToolCall call, Truncation truncation) {
        this.id = id;
        this.call = call;
        this.truncation = truncation;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** {@code {"call", "status", "result", "warnings", "usage"}}, with {@code error} where the status is not ok. */
    CompletableFuture<Map<String, Object>> answer() {
        return answer;
    }

    void output(byte[] bytes) {
        call.output(bytes, 0, bytes.length);
    }

    void warn(String warning) {
        synchronized (this) {
            if (answer.isDone()) {
                return;
            }
            warnings.add(warning);
        }
        call.warn(warning);
    }

    /** How its work is stopped; at once when it was given up already. */
    void onAbort(Runnable how) {
        synchronized (this) {
            stop = how;
            if (!aborted) {
                return;
            }
        }
        how.run();
    }

    /** Does the work, and answers when that is done. */
    void run(ToolCallService.Work work) {
        CompletionStage<?> result;
        try {
            result = work.start(this);
        } catch (Exception e) {
            failed(e);
            return;
        }
        result.whenComplete((tree, failure) -> {
            if (failure == null) {
                settle(new CallOutcome.Returned(), "ok", tree, null);
            } else {
                failed(failure);
            }
        });
    }

    private void failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Object details = null;
        String sentence;
        if (cause instanceof ToolRefusal refusal) {
            details = refusal.details();
            sentence = refusal.getMessage();
        } else {
            sentence = Failures.unwrap(cause).getMessage();
        }
        settle(new CallOutcome.Failed(sentence), "error", details, sentence);
    }

    /** Settles from what it reported, and stops the work. @return the answer, which is another's when that came first */
    Map<String, Object> abort(String reason) {
        Runnable how;
        synchronized (this) {
            aborted = true;
            how = stop;
        }
        settle(new CallOutcome.Aborted(reason), "aborted", null, reason);
        how.run();
        return answer.join();
    }

    /** A result past the session's bound is told as the part that is kept. */
    private Object bounded(Object result) {
        // What a command or a cell answers is bounded by its own output.
        if (result == null || result instanceof Map<?, ?> map && map.containsKey("outputBase64")) {
            return result;
        }
        OutputBuffer buffer = new OutputBuffer(truncation);
        buffer.append(bytes(CanonicalJson.write(result)));
        buffer.end();
        OutputView view = buffer.view();
        if (view.droppedBytes() == 0) {
            return result;
        }
        Map<String, Object> part = new LinkedHashMap<>();
        SessionTrees.output(part, view, null);
        return part;
    }

    private void settle(CallOutcome outcome, String status, Object result, String error) {
        try {
            if (!call.settle(outcome)) {
                return;
            }
        } catch (RuntimeException e) {
            unsettled(e);
            return;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("call", id);
        tree.put("status", status);
        tree.put("result", bounded(result));
        if (error != null) {
            tree.put("error", error);
        }
        synchronized (this) {
            tree.put("warnings", List.copyOf(warnings));
        }
        tree.put("usage", SessionTrees.usage(Usage.NONE));
        answer.complete(tree);
    }

    /** The settle was not committed: the call is given up with the same progress, else it stays on the board. */
    private void unsettled(RuntimeException failure) {
        LOG.log(Level.WARNING, "the end of " + id + " was not recorded", failure);
        try {
            call.settle(new CallOutcome.Aborted("its end could not be recorded"));
        } catch (RuntimeException again) {
            failure.addSuppressed(again);
        }
        answer.completeExceptionally(failure);
    }
}
