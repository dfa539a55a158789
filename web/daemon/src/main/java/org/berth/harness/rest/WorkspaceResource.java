package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.harness.service.WorkspaceService;
import org.berth.harness.session.Workspace;
import org.berth.harness.session.WorkspaceMode;
import org.berth.json.StrictJson;
import org.berth.placement.Wire;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Copies of a directory and their hand-back, outside a session. */
@Path("/api/harness/workspaces")
@Produces(MediaType.APPLICATION_JSON)
public class WorkspaceResource {
    private static final int MAX_PATH = 4096;

    @Inject
    private Callers callers;

    @Inject
    private WorkspaceService workspaces;

    /** Waits for the copy. */
    @POST
    public CompletionStage<Response> create(JsonTree body) {
        Fields fields = Fields.of(body, "parent", "mode");
        return workspaces
                .create(
                        callers.current(),
                        fields.text("parent", MAX_PATH),
                        fields.has("mode") ? fields.constant("mode", WorkspaceMode.class) : WorkspaceMode.ISOLATED)
                .thenApply(made -> Response.status(201).entity(view(made)).build());
    }

    @GET
    @Path("{id}")
    public JsonTree show(@PathParam("id") String id) {
        return view(workspaces.visible(callers.current(), id));
    }

    /** Waits until the changes are home. */
    @POST
    @Path("{id}/hand-back")
    public CompletionStage<JsonTree> handBack(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return workspaces.handBack(callers.current(), id).thenApply(WorkspaceResource::view);
    }

    private static JsonTree view(Workspace workspace) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("workspaceId", workspace.workspaceId());
        tree.put("ownerId", workspace.ownerId());
        tree.put("hostId", workspace.hostId());
        tree.put("parent", workspace.parent());
        tree.put("mode", Wire.name(workspace.mode()));
        tree.put("state", Wire.name(workspace.state()));
        tree.put("directory", workspace.directory());
        tree.put("grantRef", workspace.grantRef());
        tree.put("handBack", workspace.handBackJson() == null ? null : StrictJson.object(workspace.handBackJson()));
        tree.put("createdAt", workspace.createdAt().toString());
        tree.put("updatedAt", workspace.updatedAt().toString());
        return new JsonTree(tree);
    }
}
