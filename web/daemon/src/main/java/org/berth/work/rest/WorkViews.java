package org.berth.work.rest;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.work.WorkItem;
import org.berth.work.WorkTransition;

/** Work items and transitions as JSON trees, with the reference's names. */
final class WorkViews {
    private WorkViews() {}

    static Map<String, Object> item(WorkItem item) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("qitemId", item.qitemId());
        tree.put("sourceSession", item.sourceSession());
        tree.put("destinationSession", item.destinationSession());
        tree.put("state", item.state().wire());
        tree.put("priority", item.priority().wire());
        tree.put("tags", item.tags());
        tree.put("nudge", item.nudge());
        tree.put("body", item.body());
        tree.put("claimedBy", item.claimedBy());
        tree.put(
                "closureReason",
                item.closureReason() == null ? null : item.closureReason().wire());
        tree.put("closureTarget", item.closureTarget());
        tree.put("handedOffFrom", item.handedOffFrom());
        tree.put("createdAt", item.createdAt().toString());
        tree.put("updatedAt", item.updatedAt().toString());
        tree.put("closedAt", time(item.closedAt()));
        return tree;
    }

    static Map<String, Object> transition(WorkTransition transition) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("transitionId", (long) transition.sequence());
        tree.put("qitemId", transition.qitemId());
        tree.put("action", transition.action().wire());
        tree.put(
                "fromState",
                transition.from() == null ? null : transition.from().wire());
        tree.put("state", transition.to().wire());
        tree.put("actorSession", transition.actor().session());
        tree.put("identityProvenance", transition.actor().provenance());
        tree.put("identityPrincipal", transition.actor().principal());
        tree.put(
                "closureReason",
                transition.closureReason() == null
                        ? null
                        : transition.closureReason().wire());
        tree.put("closureTarget", transition.closureTarget());
        tree.put("transitionNote", transition.note());
        tree.put("at", transition.at().toString());
        return tree;
    }

    private static String time(Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
