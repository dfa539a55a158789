package org.berth.activity.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.activity.ActivityEvent;
import org.berth.activity.service.ActivityService;
import org.berth.problem.BerthException;
import org.berth.web.JsonTree;
import org.berth.web.Senders;

/** What seats do, and the hook posts that say so. */
@Path("/api/activity")
@Produces(MediaType.APPLICATION_JSON)
public class ActivityResource {
    private static final int PAGE = 100;
    private static final int MAX_PAGE = 1000;

    @Inject
    private Senders senders;

    @Inject
    private ActivityService activity;

    @GET
    @Path("seats/{seat}")
    public JsonTree seat(@PathParam("seat") String seat) {
        senders.reader();
        ActivityService.SeatActivity found = activity.of(seat);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("seat", found.node().seat());
        tree.put("nodeId", found.node().nodeId());
        tree.put("generation", found.generation());
        tree.put("state", found.reading().state().wire());
        tree.put("stale", found.reading().stale());
        tree.put("event", found.reading().last().map(ActivityResource::view).orElse(null));
        return new JsonTree(tree);
    }

    /** In order of recording; {@code next} continues after the last of the page. */
    @GET
    @Path("events")
    public JsonTree events(
            @QueryParam("seat") String seat, @QueryParam("after") String after, @QueryParam("limit") String limit) {
        senders.reader();
        List<ActivityEvent> found = activity.events(
                seat,
                after == null ? 0 : number("after", after, Long.MAX_VALUE),
                limit == null ? PAGE : (int) Math.max(1, number("limit", limit, MAX_PAGE)));
        JsonTree tree =
                JsonTree.of("events", found.stream().map(ActivityResource::view).toList());
        tree.members().put("next", found.isEmpty() ? null : found.getLast().eventId());
        return tree;
    }

    private static long number(String name, String text, long max) {
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw BerthException.invalid(name + " must be a whole number from 0 to " + max);
    }

    private static Map<String, Object> view(ActivityEvent event) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("eventId", event.eventId());
        tree.put("seat", event.seat());
        tree.put("nodeId", event.nodeId());
        tree.put("generation", event.generation());
        tree.put("runtime", event.runtime());
        tree.put("hookEvent", event.hookEvent());
        tree.put("subtype", event.subtype());
        tree.put("nativeSession", event.nativeSession());
        tree.put("state", event.state() == null ? null : event.state().wire());
        tree.put("occurredAt", event.occurredAt().toString());
        tree.put("receivedAt", event.receivedAt().toString());
        tree.put("grantId", event.grantId());
        return tree;
    }
}
