package org.berth.activity.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.List;
import org.berth.activity.ActivityEvent;
import org.berth.activity.ActivityReading;
import org.berth.activity.ActivityRules;
import org.berth.activity.store.ActivityEventRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigDirectory;
import org.berth.rig.RigNode;

/** What seats do now, and the posts that say so. */
@ApplicationScoped
public class ActivityService {
    @Inject
    private ActivityEventRepository events;

    @Inject
    private RigDirectory rigs;

    @Inject
    private Clock clock;

    /** A seat and what it does. */
    public record SeatActivity(RigNode node, String generation, ActivityReading reading) {}

    /** Only posts of the node's current generation count. @throws BerthException SEAT_MISSING */
    public SeatActivity of(String seat) {
        RigNode node = node(seat);
        String generation = rigs.current(node.nodeId()).orElse(null);
        return new SeatActivity(
                node, generation, ActivityRules.read(events.lastDeciding(node.nodeId(), generation), clock.instant()));
    }

    /** In order of recording. @param seat null for any @throws BerthException SEAT_MISSING */
    public List<ActivityEvent> events(String seat, long after, int limit) {
        return events.list(seat == null ? null : node(seat).nodeId(), after, limit);
    }

    private RigNode node(String seat) {
        return rigs.seat(seat).orElseThrow(() -> new BerthException(ProblemCode.SEAT_MISSING, "there is no such seat"));
    }
}
