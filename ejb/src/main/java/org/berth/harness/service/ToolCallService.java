package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.access.Caller;
import org.berth.harness.call.CallStart;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.transport.FsRequests;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;

/**
 * Calls of a session's tools: two records each, progress on the session's board, one end. Source: harness.md, S2.
 *
 * <p>Tools: {@code bash} {command}, {@code ipython} {code}, {@code fs.read}, {@code fs.write}, {@code fs.edit}, {@code
 * fs.grep}, {@code fs.glob} with the fields of a kernel's requests, and {@code remote/<name>} with the function's arguments.
 */
@ApplicationScoped
public class ToolCallService {
    private static final String REMOTE = "remote/";

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private SessionReader reader;

    @Inject
    private OpenSessions sessions;

    @Inject
    private SessionKernels kernels;

    @Inject
    private CellService cells;

    @Inject
    private JobService jobs;

    private final ConcurrentHashMap<String, CallRun> running = new ConcurrentHashMap<>();

    /**
     * Calls a tool, and blocks at most for the session's budget. A tool that fails is an answer of status {@code error}.
     * Fails with INVALID for no such tool or arguments that are not its own, NOT_FOUND, CONFLICT.
     */
    public CompletionStage<Map<String, Object>> call(
            Caller caller, String sessionId, String tool, Map<String, Object> arguments) {
        HarnessSession session = reader.open(caller, sessionId);
        OpenSession open = sessions.of(session);
        Work work = work(caller, session, open, tool, arguments);
        String id = "call-" + UUID.randomUUID();
        CallRun call = new CallRun(
                id,
                open.calls().start(new CallStart(id, tool, CanonicalJson.write(arguments)), open.truncation()),
                open.truncation());
        running.put(key(sessionId, id), call);
        call.answer().whenComplete((answer, failure) -> running.remove(key(sessionId, id)));
        executor.execute(() -> call.run(work));
        return call.answer();
    }

    private static String key(String sessionId, String callId) {
        return sessionId + "/" + callId;
    }

    /** What a call does. */
    @FunctionalInterface
    interface Work {
        /** @return the result as a tree; fails when the tool does */
        CompletionStage<?> start(CallRun call) throws Exception;
    }

    private Work work(
            Caller caller, HarnessSession session, OpenSession open, String tool, Map<String, Object> arguments) {
        if (tool.equals("bash")) {
            String command = only(tool, arguments, "command");
            return call -> bash(caller, session, command, call);
        }
        if (tool.equals("ipython")) {
            String code = only(tool, arguments, "code");
            return call -> cell(session, code, call);
        }
        if (FsRequests.TYPES.contains(tool)) {
            return new FileTool(kernels.of(session, open).files(), session.cwd(), tool, arguments);
        }
        if (tool.startsWith(REMOTE)) {
            return new RemoteTool(
                    kernels.of(session, open), tool.substring(REMOTE.length()), arguments, open.budgetMillis());
        }
        throw BerthException.invalid("tool must be bash, ipython, "
                + String.join(", ", FsRequests.TYPES.stream().sorted().toList()) + " or remote/<name>");
    }

    private static String only(String tool, Map<String, Object> arguments, String name) {
        if (arguments.size() == 1 && arguments.get(name) instanceof String text) {
            return text;
        }
        throw BerthException.invalid("args of " + tool + " must be {" + name + ": text}");
    }

    private CompletionStage<?> bash(Caller caller, HarnessSession session, String command, CallRun call) {
        return jobs.bash(caller, session.sessionId(), command, true, new JobRun.Listener() {
                    @Override
                    public void started(JobRun run) {
                        call.onAbort(() -> jobs.kill(session, run));
                    }

                    @Override
                    public void output(JobRun run, byte[] bytes) {
                        call.output(bytes);
                    }
                })
                .thenApply(answer -> {
                    Map<String, Object> tree = answer.tree();
                    detached(tree, call);
                    if (tree.get("exitCode") instanceof Long code && code != 0) {
                        call.warn("exit code " + code);
                    }
                    return tree;
                });
    }

    private CompletionStage<?> cell(HarnessSession session, String code, CallRun call) {
        CellService.Submitted submitted = cells.submit(session, code, call::output);
        call.onAbort(() -> submitted.kernel().kill(submitted.cell()));
        return submitted.answer().thenApply(tree -> {
            detached(tree, call);
            if (tree.get("result") instanceof String result) {
                call.output(CallRun.bytes(result));
            }
            if (tree.get("error") instanceof Map<?, ?> error) {
                call.warn(error.get("name") + ": " + error.get("text"));
            }
            return tree;
        });
    }

    private static void detached(Map<String, Object> tree, CallRun call) {
        if (tree.get("detached") instanceof Map<?, ?> detached) {
            call.warn("it goes on as job " + detached.get("job"));
        }
    }

    /**
     * Ends a running call with what it reported, and stops what it does.
     *
     * @return the call's answer
     * @throws BerthException NOT_FOUND when no such call runs
     */
    public Map<String, Object> abort(Caller caller, String sessionId, String callId) {
        reader.open(caller, sessionId);
        CallRun call = running.get(key(sessionId, callId));
        if (call == null) {
            throw BerthException.notFound("no call of that id runs in the session; its entries have those that ended");
        }
        return call.abort("the caller gave it up");
    }

    /** Ends every running call of a session that ends. */
    void abortAll(String sessionId) {
        List.copyOf(running.entrySet()).stream()
                .filter(each -> each.getKey().startsWith(sessionId + "/"))
                .forEach(each -> each.getValue().abort("the session ended"));
    }
}
