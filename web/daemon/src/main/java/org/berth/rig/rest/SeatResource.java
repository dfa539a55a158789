package org.berth.rig.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.berth.access.Caller;
import org.berth.environment.EnvironmentRules;
import org.berth.rig.Member;
import org.berth.rig.service.RigService;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;

/** Seats and their occupant generations. Source: environments.md, Operations and Generations. */
@Path("/api/seats")
@Produces(MediaType.APPLICATION_JSON)
public class SeatResource {
    private static final String GENERATION = "generation";

    @Inject
    private Senders senders;

    @Inject
    private RigService rigs;

    @GET
    @Path("{seat}")
    public JsonTree show(@PathParam("seat") String seat) {
        Member member = rigs.seat(senders.reader(), seat);
        String nodeId = member.node().nodeId();
        return new JsonTree(RigViews.seat(member, rigs.current(nodeId), rigs.occupants(nodeId)));
    }

    /** Makes nothing stale; the same id again answers 200. */
    @POST
    @Path("{seat}/generations")
    public Response reserve(@PathParam("seat") String seat, JsonTree body) {
        Caller caller = senders.reader();
        Fields fields = Fields.of(body, GENERATION);
        String generation =
                fields.has(GENERATION) ? EnvironmentRules.identifier(fields.text(GENERATION, 160), GENERATION) : null;
        RigService.Reserved reserved = rigs.reserve(caller, seat, generation);
        Map<String, Object> tree = RigViews.occupant(reserved.occupant());
        tree.put("seat", seat);
        return Response.status(reserved.replayed() ? 200 : 201)
                .entity(new JsonTree(tree))
                .build();
    }
}
