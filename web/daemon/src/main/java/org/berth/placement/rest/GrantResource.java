package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.berth.access.Caller;
import org.berth.access.service.GrantService;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Resource grants: create, list, revoke. */
@Path("/api/placement/grants")
@Produces(MediaType.APPLICATION_JSON)
public class GrantResource {
    private static final int MAX_PATH = 4096;

    @Inject
    private Callers callers;

    @Inject
    private GrantService grants;

    @POST
    public Response issue(JsonTree body) {
        Fields fields = Fields.of(
                AttemptResource.requireBody(body),
                "subject",
                "root",
                "subpath",
                "access",
                "purpose",
                "attempt_id",
                "expires_in");
        Caller caller = callers.current();
        ResourceGrant grant = grants.issue(
                caller,
                new GrantService.Wish(
                        fields.has("subject") ? fields.identifier("subject") : caller.ownerId(),
                        fields.text("root", MAX_PATH),
                        fields.has("subpath") ? fields.text("subpath", MAX_PATH) : "",
                        fields.constant("access", ResourceAccess.class),
                        fields.constant("purpose", ResourcePurpose.class),
                        fields.has("attempt_id") ? fields.identifier("attempt_id") : null,
                        fields.lifetime("expires_in")));
        return Response.status(201).entity(new JsonTree(Views.grant(grant))).build();
    }

    @GET
    public JsonTree list(@QueryParam("owner") String owner, @QueryParam("all") String all) {
        List<ResourceGrant> found = grants.list(callers.current(), owner, "true".equals(all));
        return JsonTree.of("grants", found.stream().map(Views::grant).toList());
    }

    @POST
    @Path("{id}/revoke")
    public JsonTree revoke(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return new JsonTree(Views.grant(grants.revoke(callers.current(), id)));
    }
}
