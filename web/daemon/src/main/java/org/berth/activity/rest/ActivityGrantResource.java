package org.berth.activity.rest;

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
import org.berth.activity.ActivityGrant;
import org.berth.activity.ActivityGrants;
import org.berth.activity.service.ActivityGrantService;
import org.berth.activity.service.SeatLookup;
import org.berth.problem.BerthException;
import org.berth.rig.RigNode;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Activity grants: issue (the token is shown once), list, revoke. For operators. */
@Path("/api/grants/activity")
@Produces(MediaType.APPLICATION_JSON)
public class ActivityGrantResource {
    private static final int MAX_TEXT = 160;

    @Inject
    private Callers callers;

    @Inject
    private ActivityGrantService grants;

    @Inject
    private SeatLookup seats;

    @POST
    public Response issue(JsonTree body) {
        Fields fields = Fields.of(body, "seat", "nodeId", "generation");
        if (fields.has("seat") == fields.has("nodeId")) {
            throw BerthException.invalid("either seat or nodeId names whose grant it is");
        }
        RigNode node = fields.has("nodeId")
                ? seats.node(fields.text("nodeId", MAX_TEXT))
                : seats.seat(fields.text("seat", 2 * MAX_TEXT));
        String generation =
                fields.has("generation") ? fields.identifier("generation") : seats.currentGeneration(node.nodeId());
        ActivityGrants.Issued issued = grants.issue(callers.current(), node.nodeId(), generation);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("grantId", issued.grantId());
        tree.put("nodeId", node.nodeId());
        tree.put("seat", node.seat());
        tree.put("generation", generation);
        tree.put("token", issued.token());
        return Response.status(201).entity(new JsonTree(tree)).build();
    }

    @GET
    public JsonTree list(@QueryParam("nodeId") String nodeId, @QueryParam("all") String all) {
        return JsonTree.of(
                "grants",
                grants.list(callers.current(), nodeId, "true".equals(all)).stream()
                        .map(ActivityGrantResource::view)
                        .toList());
    }

    @POST
    @Path("{id}/revoke")
    public JsonTree revoke(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(body, "reason");
        return new JsonTree(view(grants.revoke(
                callers.current(), id, fields.has("reason") ? fields.text("reason", MAX_TEXT) : "revoked")));
    }

    private static Map<String, Object> view(ActivityGrant grant) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("grantId", grant.grantId());
        tree.put("nodeId", grant.nodeId());
        tree.put("generation", grant.generation());
        tree.put("issuedBy", grant.issuedBy());
        tree.put("issuedAt", grant.issuedAt().toString());
        tree.put(
                "revokedAt",
                grant.revokedAt() == null ? null : grant.revokedAt().toString());
        tree.put("revokedReason", grant.revokedReason());
        return tree;
    }
}
