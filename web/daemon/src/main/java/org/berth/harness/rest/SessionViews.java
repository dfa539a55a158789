package org.berth.harness.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.harness.job.Rewound;
import org.berth.harness.service.SessionSettings;
import org.berth.harness.service.SessionTrees;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.StateDocument;
import org.berth.json.StrictJson;
import org.berth.placement.Wire;

/** Sessions as clients see them. */
final class SessionViews {
    private SessionViews() {}

    static Map<String, Object> session(HarnessSession session) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("sessionId", session.sessionId());
        tree.put("ownerId", session.ownerId());
        tree.put("hostId", session.hostId());
        tree.put("cwd", session.cwd());
        tree.put("state", Wire.name(session.state()));
        tree.put("truncation", SessionTrees.truncation(SessionSettings.truncation(session)));
        tree.put("toolBlockingBudgetMs", session.budgetMillis());
        tree.put("kernelTransport", session.kernelTransport());
        tree.put("parent", session.parentId());
        tree.put("workspace", Wire.name(session.workspace()));
        tree.put("head", session.headEntryId());
        tree.put("entries", session.lastEntry());
        tree.put("outcome", session.outcome());
        tree.put("handBack", session.handBackJson() == null ? null : StrictJson.object(session.handBackJson()));
        tree.put("createdAt", session.createdAt().toString());
        tree.put("updatedAt", session.updatedAt().toString());
        return tree;
    }

    static Map<String, Object> rewound(Map<String, Object> into, Rewound jobs) {
        into.put("stoppedJobs", List.copyOf(jobs.stoppedJobs()));
        into.put("stoppingJobs", List.copyOf(jobs.stoppingJobs()));
        return into;
    }

    static Map<String, Object> document(StateDocument document) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", document.type());
        tree.put("key", document.key());
        tree.put("body", StrictJson.object(document.bodyJson()));
        return tree;
    }
}
