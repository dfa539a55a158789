package org.berth.work.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.event.Announcement;
import org.berth.event.Announcements;
import org.berth.problem.BerthException;
import org.berth.rig.Seats;
import org.berth.work.Actor;
import org.berth.work.WorkChange;
import org.berth.work.WorkDecision;
import org.berth.work.WorkItem;
import org.berth.work.WorkLifecycle;
import org.berth.work.WorkSettled;
import org.berth.work.WorkState;
import org.berth.work.WorkTransition;
import org.berth.work.store.WorkRepository;

/** Applies one change to a locked item and announces it. Needs the caller's transaction. */
@ApplicationScoped
public class WorkChanges {
    @Inject
    private WorkRepository items;

    @Inject
    private Announcements announcements;

    @Inject
    private Event<WorkSettled> settlements;

    /** The item as it is afterwards. @throws BerthException the lifecycle's refusal, before anything is written */
    WorkItem apply(Connection connection, WorkItem item, Actor actor, WorkChange change, Instant now)
            throws SQLException {
        return switch (WorkLifecycle.decide(item, actor, change, now)) {
            case WorkDecision.Already already -> already.item();
            case WorkDecision.Refuse refuse -> throw new BerthException(refuse.code(), refuse.sentence());
            case WorkDecision.Apply apply -> {
                items.save(connection, apply.item(), apply.transition());
                announce(apply.item(), apply.transition());
                if (apply.item().state() == WorkState.DONE) {
                    settlements.fire(new WorkSettled(item.qitemId()));
                }
                yield apply.item();
            }
        };
    }

    /** Stores a new item with its first transition. */
    void create(Connection connection, WorkItem item, WorkTransition created) throws SQLException {
        items.insert(connection, item, created);
        announce(item, created);
    }

    private void announce(WorkItem item, WorkTransition transition) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("qitemId", item.qitemId());
        data.put("sourceSession", item.sourceSession());
        data.put("destinationSession", item.destinationSession());
        data.put("priority", item.priority().wire());
        data.put("state", item.state().wire());
        data.put(
                "closureReason",
                item.closureReason() == null ? null : item.closureReason().wire());
        data.put("actorSession", transition.actor().session());
        data.put("transition", (long) transition.sequence());
        if (item.nudge() && transition.sequence() == 1) {
            data.put("nudge", true);
        }
        announcements.announce(new Announcement(type(transition), rigs(item), data));
    }

    private static String type(WorkTransition transition) {
        return "queue."
                + switch (transition.action()) {
                    case CREATE -> "created";
                    case CLAIM -> "claimed";
                    case UNCLAIM -> "unclaimed";
                    case UPDATE -> "updated";
                    case REOPEN -> "reopened";
                    case HANDOFF -> "handed-off";
                    case NOTE -> "noted";
                };
    }

    private static List<String> rigs(WorkItem item) {
        return Stream.of(item.sourceSession(), item.destinationSession())
                .map(Seats::rigOf)
                .distinct()
                .toList();
    }
}
