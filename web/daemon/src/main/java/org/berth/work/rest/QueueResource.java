package org.berth.work.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.berth.access.Caller;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;
import org.berth.work.ClosureReason;
import org.berth.work.WorkAction;
import org.berth.work.WorkChange;
import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;
import org.berth.work.WorkTransition;
import org.berth.work.service.NewWork;
import org.berth.work.service.QueueQuery;
import org.berth.work.service.QueueService;
import org.berth.work.service.WorkLedger;

/** The work queue. Every writer acts under its seat. Source: environments.md, Work queue. */
@Path("/api/queue")
@Produces(MediaType.APPLICATION_JSON)
public class QueueResource {
    private static final int PAGE = 50;
    private static final int MAX_PAGE = 500;
    private static final String NOTE = "transitionNote";

    @Inject
    private Senders senders;

    @Inject
    private QueueService queue;

    /** A body's sourceSession must be the sender's own seat. */
    @POST
    @Path("create")
    public Response create(JsonTree body) {
        Actor actor = senders.writer();
        WorkFields fields = new WorkFields(
                body, "qitemId", "sourceSession", "destinationSession", "body", "priority", "tags", "nudge");
        String source = fields.seat("sourceSession");
        if (source != null && !source.equals(actor.session())) {
            throw new BerthException(ProblemCode.FORBIDDEN, "sourceSession must be the sender's own seat.");
        }
        QueueService.Created created = queue.create(
                actor,
                new NewWork(
                        fields.identifier("qitemId"),
                        fields.requiredSeat("destinationSession"),
                        fields.requiredBody("body"),
                        Objects.requireNonNullElse(fields.priority("priority"), WorkPriority.ROUTINE),
                        Objects.requireNonNullElse(fields.tags("tags"), List.of()),
                        fields.flag("nudge")));
        return answer(created.replayed() ? 200 : 201, WorkViews.item(created.item()));
    }

    @POST
    @Path("{id}/claim")
    public JsonTree claim(@PathParam("id") String id, JsonTree body) {
        Actor actor = senders.writer();
        WorkFields fields = new WorkFields(body, NOTE);
        return changed(actor, id, WorkChange.claim(fields.note(NOTE)));
    }

    @POST
    @Path("{id}/unclaim")
    public JsonTree unclaim(@PathParam("id") String id, JsonTree body) {
        Actor actor = senders.writer();
        WorkFields fields = new WorkFields(body, NOTE);
        return changed(actor, id, WorkChange.unclaim(fields.note(NOTE)));
    }

    @POST
    @Path("{id}/update")
    public JsonTree update(@PathParam("id") String id, JsonTree body) {
        Actor actor = senders.writer();
        WorkFields fields = new WorkFields(body, "state", "closureReason", "closureTarget", NOTE, "reopen");
        WorkState state = fields.state("state");
        ClosureReason reason = fields.reason("closureReason");
        String target = fields.target("closureTarget");
        String note = fields.note(NOTE);
        boolean reopen = fields.flag("reopen");
        if (state == null && !reopen) {
            if (reason != null || target != null) {
                throw BerthException.invalid("closureReason and closureTarget need a state");
            }
            if (note == null) {
                throw BerthException.invalid("state, transitionNote or reopen is needed");
            }
            return changed(actor, id, WorkChange.note(note));
        }
        WorkState to = state == null ? WorkState.PENDING : state;
        return changed(
                actor, id, new WorkChange(reopen ? WorkAction.REOPEN : WorkAction.UPDATE, to, reason, target, note));
    }

    private JsonTree changed(Actor actor, String id, WorkChange change) {
        return new JsonTree(WorkViews.item(queue.change(senders.reader(), actor, id, change)));
    }

    @POST
    @Path("{id}/handoff")
    public Response handOff(@PathParam("id") String id, JsonTree body) {
        Actor actor = senders.writer();
        WorkFields fields =
                new WorkFields(body, "qitemId", "destinationSession", "body", "priority", "tags", "nudge", NOTE);
        QueueService.HandedOff done = queue.handOff(
                senders.reader(),
                actor,
                id,
                new WorkLedger.Successor(
                        fields.identifier("qitemId"),
                        fields.requiredSeat("destinationSession"),
                        fields.body("body"),
                        fields.priority("priority"),
                        fields.tags("tags"),
                        fields.flag("nudge")),
                fields.note(NOTE));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("item", WorkViews.item(done.item()));
        tree.put("successor", WorkViews.item(done.successor()));
        return answer(done.replayed() ? 200 : 201, tree);
    }

    /** Newest first; {@code next} is the cursor of the following page. */
    @GET
    @Path("list")
    public JsonTree list(
            @QueryParam("destinationSession") String destination,
            @QueryParam("sourceSession") String source,
            @QueryParam("session") String session,
            @QueryParam("rig") String rig,
            @QueryParam("state") String state,
            @QueryParam("priority") String priority,
            @QueryParam("open") String open,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        Caller caller = senders.reader();
        int size = (int) Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE);
        List<WorkItem> items = queue.page(
                caller,
                new QueueQuery(
                        seat("destinationSession", destination),
                        seat("sourceSession", source),
                        seat("session", session),
                        rig == null ? null : Fields.identifier("rig", rig),
                        WorkFields.queryState(state),
                        WorkFields.queryPriority(priority),
                        flag(open),
                        after == null ? null : Fields.identifier("after", after),
                        size));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("items", items.stream().map(WorkViews::item).toList());
        if (items.size() == size) {
            tree.put("next", items.getLast().qitemId());
        }
        return new JsonTree(tree);
    }

    @GET
    @Path("{id}")
    public JsonTree show(@PathParam("id") String id) {
        return new JsonTree(WorkViews.item(queue.visible(senders.reader(), id)));
    }

    @GET
    @Path("{id}/transitions")
    public JsonTree transitions(
            @PathParam("id") String id, @QueryParam("after") String after, @QueryParam("limit") String limit) {
        int size = (int) Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE);
        List<WorkTransition> found = queue.transitions(
                senders.reader(), id, (int) Fields.queryNumber("after", after, 0, 0, Integer.MAX_VALUE), size);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("qitemId", id);
        tree.put("transitions", found.stream().map(WorkViews::transition).toList());
        if (found.size() == size) {
            tree.put("next", (long) found.getLast().sequence());
        }
        return new JsonTree(tree);
    }

    private static String seat(String name, String value) {
        return value == null ? null : Senders.seat(name, value);
    }

    private static boolean flag(String value) {
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw BerthException.invalid("open must be true or false");
    }

    private static Response answer(int status, Map<String, Object> tree) {
        return Response.status(status).entity(new JsonTree(tree)).build();
    }
}
