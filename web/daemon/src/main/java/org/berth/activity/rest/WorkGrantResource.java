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
import java.util.List;
import java.util.Map;
import org.berth.activity.ActivityGrants;
import org.berth.activity.WorkGrant;
import org.berth.activity.service.WorkGrantService;
import org.berth.problem.BerthException;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;

/** Work grants: issue (the token is shown once), list, revoke by name. For operators. */
@Path("/api/grants/work")
@Produces(MediaType.APPLICATION_JSON)
public class WorkGrantResource {
    private static final int MAX_TEXT = 160;

    @Inject
    private Callers callers;

    @Inject
    private WorkGrantService grants;

    @POST
    public Response issue(JsonTree body) {
        Fields fields = Fields.of(body, "name", "seat", "rigs");
        String name = fields.identifier("name");
        String seat = Senders.seat("seat", fields.text("seat", Senders.MAX_SEAT));
        List<String> rigs = rigs(body.members().get("rigs"), seat);
        ActivityGrants.Issued issued = grants.issue(callers.current(), name, seat, rigs);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("grantId", issued.grantId());
        tree.put("name", name);
        tree.put("seat", seat);
        tree.put("rigs", rigs);
        tree.put("token", issued.token());
        return Response.status(201).entity(new JsonTree(tree)).build();
    }

    /** The seat's own rig when none is named. */
    private static List<String> rigs(Object value, String seat) {
        if (value == null) {
            return List.of(seat.substring(seat.lastIndexOf('@') + 1));
        }
        if (!(value instanceof List<?> names) || names.isEmpty()) {
            throw BerthException.invalid("rigs must be a list of rig names");
        }
        return names.stream()
                .map(name -> Fields.identifier("each of rigs", name))
                .distinct()
                .toList();
    }

    @GET
    public JsonTree list(@QueryParam("seat") String seat, @QueryParam("all") String all) {
        return JsonTree.of(
                "grants",
                grants.list(callers.current(), seat, "true".equals(all)).stream()
                        .map(WorkGrantResource::view)
                        .toList());
    }

    @POST
    @Path("{name}/revoke")
    public JsonTree revoke(@PathParam("name") String name, JsonTree body) {
        Fields fields = Fields.of(body, "reason");
        return new JsonTree(view(grants.revoke(
                callers.current(), name, fields.has("reason") ? fields.text("reason", MAX_TEXT) : "revoked")));
    }

    private static Map<String, Object> view(WorkGrant grant) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("grantId", grant.grantId());
        tree.put("name", grant.name());
        tree.put("seat", grant.seat());
        tree.put("rigs", grant.rigs());
        tree.put("issuedBy", grant.issuedBy());
        tree.put("issuedAt", grant.issuedAt().toString());
        tree.put(
                "revokedAt",
                grant.revokedAt() == null ? null : grant.revokedAt().toString());
        tree.put("revokedReason", grant.revokedReason());
        return tree;
    }
}
