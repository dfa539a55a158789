package org.berth.harness.service;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.harness.call.BoardEvent;
import org.berth.harness.call.CallChange;
import org.berth.harness.call.CallProgress;
import org.berth.harness.call.ProgressBoard;
import org.berth.harness.session.Entry;
import org.berth.json.StrictJson;

/** What the clients of a session's events are told. Source: harness.md, Sessions. */
final class SessionEvents {
    private SessionEvents() {}

    /** The last progress of each running call, and the jobs. */
    static Map<String, Object> snapshot(OpenSession session, List<Map<String, Object>> jobs) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("calls", calls(session.board()));
        tree.put("jobs", jobs);
        return tree;
    }

    private static List<Object> calls(ProgressBoard board) {
        List<Object> calls = new ArrayList<>();
        board.watch(event -> {
                    if (event instanceof BoardEvent.Running running) {
                        running.calls().forEach(call -> calls.add(call(call)));
                    }
                })
                .run();
        return calls;
    }

    private static Map<String, Object> call(CallProgress progress) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("call", progress.callId());
        tree.put("tool", progress.tool());
        SessionTrees.output(tree, progress.output(), null);
        tree.put("warnings", progress.warnings());
        tree.put("usage", SessionTrees.usage(progress.usage()));
        return tree;
    }

    static Map<String, Object> started(BoardEvent.Started started) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("call", started.callId());
        tree.put("tool", started.tool());
        return tree;
    }

    static Map<String, Object> changed(BoardEvent.Changed changed) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("call", changed.callId());
        switch (changed.change()) {
            case CallChange.Wrote wrote -> tree.put("outputBase64", base64(wrote.bytes()));
            case CallChange.Warned warned -> tree.put("warning", warned.warning());
            case CallChange.Used used -> tree.put("usage", SessionTrees.usage(used.usage()));
        }
        return tree;
    }

    static Map<String, Object> ended(BoardEvent.Ended ended) {
        return new LinkedHashMap<>(Map.of("call", ended.callId()));
    }

    static Map<String, Object> entry(Entry entry) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("entryId", entry.entryId());
        tree.put("sequence", entry.sequence());
        tree.put("parent", entry.parentId());
        tree.put("kind", entry.kind());
        tree.put("body", StrictJson.object(entry.bodyJson()));
        tree.put("createdAt", entry.createdAt().toString());
        return tree;
    }

    static Map<String, Object> output(JobRun run, byte[] bytes) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("job", run.id());
        tree.put("outputBase64", base64(bytes));
        return tree;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
