package org.berth.environment.rest;

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
import java.util.Map;
import org.berth.environment.EnvironmentBodies;
import org.berth.environment.service.CheckpointArchive;
import org.berth.environment.service.CheckpointService;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** Takes checkpoints of an environment and lists them. Source: environments.md, Operations. */
@Path("/api/environments")
@Produces(MediaType.APPLICATION_JSON)
public class CheckpointResource {
    @Inject
    private Senders senders;

    @Inject
    private CheckpointService checkpoints;

    @Inject
    private CheckpointArchive archive;

    @POST
    @Path("{bindingId}/checkpoint")
    public Response take(@PathParam("bindingId") String bindingId, JsonTree body) {
        Actor actor = senders.writer();
        Map<String, Object> members = body == null ? Map.of() : body.members();
        return switch (checkpoints.take(
                bindingId,
                EnvironmentBodies.text(members, "operationId"),
                EnvironmentBodies.text(members, "generation"),
                actor)) {
            case CheckpointService.Outcome.Recorded recorded ->
                Response.ok(new JsonTree(recorded.receipt())).build();
            case CheckpointService.Outcome.UnderWay open -> {
                Map<String, Object> tree = new LinkedHashMap<>();
                tree.put("operationId", open.operationId());
                tree.put("bindingId", bindingId);
                tree.put("state", "pending");
                tree.put("executionId", open.executionId());
                yield Response.status(202).entity(new JsonTree(tree)).build();
            }
        };
    }

    @GET
    @Path("{bindingId}/checkpoints")
    public JsonTree page(
            @PathParam("bindingId") String bindingId,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        senders.reader();
        return CheckpointArchiveResource.page(archive, bindingId, after, limit);
    }
}
