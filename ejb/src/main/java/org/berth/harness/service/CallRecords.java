package org.berth.harness.service;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.harness.call.CallJournal;
import org.berth.harness.call.CallOutcome;
import org.berth.harness.call.CallProgress;
import org.berth.harness.call.CallSettle;
import org.berth.harness.call.CallStart;
import org.berth.harness.session.CallRecord;
import org.berth.harness.session.CallStep;
import org.berth.harness.session.Entry;
import org.berth.placement.CanonicalJson;

/** The two records of each tool call of one session; the second comes with the result's entry, in one commit. */
final class CallRecords implements CallJournal {
    /** The kind of the entry that holds a call's result. */
    static final String RESULT = "tool_result";

    private final String sessionId;
    private final SessionChanges changes;
    private final EntryWriter entries;
    private final EntryObserver observer;
    private final Clock clock;

    /** Told each entry right after its commit. */
    interface EntryObserver {
        void committed(Entry entry);
    }

    CallRecords(String sessionId, SessionChanges changes, EntryWriter entries, EntryObserver observer, Clock clock) {
        this.sessionId = sessionId;
        this.changes = changes;
        this.entries = entries;
        this.observer = observer;
        this.clock = clock;
    }

    @Override
    public void start(CallStart start) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("tool", start.tool());
        body.put("arguments", start.arguments());
        changes.change(stores -> {
            stores.calls().insert(record(start.callId(), CallStep.START, body));
            return null;
        });
    }

    @Override
    public void settle(CallSettle settle) {
        Map<String, Object> body = body(settle);
        observer.committed(changes.change(stores -> {
            stores.calls().insert(record(settle.progress().callId(), CallStep.SETTLE, body));
            return entries.append(stores, sessionId, RESULT, CanonicalJson.write(body));
        }));
    }

    /** What a settle carries: everything that the call reported. */
    static Map<String, Object> body(CallSettle settle) {
        CallProgress progress = settle.progress();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("call", progress.callId());
        body.put("tool", progress.tool());
        switch (settle.outcome()) {
            case CallOutcome.Returned _ -> body.put("status", "ok");
            case CallOutcome.Failed failed -> {
                body.put("status", "error");
                body.put("error", failed.error());
            }
            case CallOutcome.Aborted aborted -> {
                body.put("status", "aborted");
                body.put("error", aborted.reason());
            }
        }
        body.put("output", progress.output().text());
        body.put(
                "outputBase64",
                Base64.getEncoder().encodeToString(progress.output().kept()));
        body.put("keptBytes", (long) progress.output().kept().length);
        body.put("droppedBytes", progress.output().droppedBytes());
        body.put("warnings", progress.warnings());
        body.put("usage", SessionTrees.usage(progress.usage()));
        return body;
    }

    private CallRecord record(String callId, CallStep step, Map<String, Object> body) {
        return new CallRecord(
                sessionId,
                callId,
                step,
                CanonicalJson.write(body),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
    }
}
