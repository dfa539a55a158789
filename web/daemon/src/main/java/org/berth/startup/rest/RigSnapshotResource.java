package org.berth.startup.rest;

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
import org.berth.rig.RigSnapshot;
import org.berth.startup.service.SnapshotService;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** The snapshots of one rig. */
@Path("/api/rigs")
@Produces(MediaType.APPLICATION_JSON)
public class RigSnapshotResource {
    private static final int PAGE = 50;
    private static final int MAX_PAGE = 500;

    @Inject
    private Senders senders;

    @Inject
    private SnapshotService snapshots;

    @POST
    @Path("{rigId}/snapshots")
    public Response take(@PathParam("rigId") String rigId, JsonTree body) {
        Actor actor = senders.writer();
        Fields.of(body);
        return Response.status(201)
                .entity(new JsonTree(SnapshotViews.whole(snapshots.take(senders.reader(), rigId, actor))))
                .build();
    }

    /** Newest first; {@code next} is the cursor of the following page. */
    @GET
    @Path("{rigId}/snapshots")
    public JsonTree list(
            @PathParam("rigId") String rigId, @QueryParam("after") String after, @QueryParam("limit") String limit) {
        int size = (int) Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE);
        List<RigSnapshot> page =
                snapshots.page(senders.reader(), rigId, after == null ? null : Fields.identifier("after", after), size);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("snapshots", page.stream().map(SnapshotViews::line).toList());
        if (page.size() == size) {
            tree.put("next", page.getLast().snapshotId());
        }
        return new JsonTree(tree);
    }
}
