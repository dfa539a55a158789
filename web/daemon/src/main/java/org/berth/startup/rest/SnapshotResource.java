package org.berth.startup.rest;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.json.StrictJson;
import org.berth.rig.RigSnapshot;
import org.berth.startup.service.RigRestore;
import org.berth.startup.service.SnapshotService;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** Snapshots of rigs, and the restore of a whole rig. */
@Path("/api")
@Produces(MediaType.APPLICATION_JSON)
public class SnapshotResource {
    private static final int PAGE = 50;
    private static final int MAX_PAGE = 500;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Senders senders;

    @Inject
    private SnapshotService snapshots;

    @Inject
    private RigRestore restores;

    @POST
    @Path("rigs/{rigId}/snapshots")
    public Response take(@PathParam("rigId") String rigId, JsonTree body) {
        Actor actor = senders.writer();
        Fields.of(body);
        return Response.status(201)
                .entity(new JsonTree(whole(snapshots.take(senders.reader(), rigId, actor))))
                .build();
    }

    /** Newest first; {@code next} is the cursor of the following page. */
    @GET
    @Path("rigs/{rigId}/snapshots")
    public JsonTree list(
            @PathParam("rigId") String rigId, @QueryParam("after") String after, @QueryParam("limit") String limit) {
        int size = (int) Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE);
        List<RigSnapshot> page =
                snapshots.page(senders.reader(), rigId, after == null ? null : Fields.identifier("after", after), size);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("snapshots", page.stream().map(SnapshotResource::line).toList());
        if (page.size() == size) {
            tree.put("next", page.getLast().snapshotId());
        }
        return new JsonTree(tree);
    }

    @GET
    @Path("snapshots/{snapshotId}")
    public JsonTree show(@PathParam("snapshotId") String snapshotId) {
        return new JsonTree(whole(snapshots.visible(senders.reader(), snapshotId)));
    }

    /** The checkpoints that it refers to stay. */
    @DELETE
    @Path("snapshots/{snapshotId}")
    public JsonTree delete(@PathParam("snapshotId") String snapshotId) {
        senders.writer();
        snapshots.delete(senders.reader(), snapshotId);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", snapshotId);
        tree.put("deleted", true);
        return new JsonTree(tree);
    }

    @POST
    @Path("snapshots/{snapshotId}/restore")
    public CompletionStage<JsonTree> restore(@PathParam("snapshotId") String snapshotId, JsonTree body) {
        Actor actor = senders.writer();
        Caller caller = senders.reader();
        Fields.of(body);
        RigSnapshot snapshot = snapshots.visible(caller, snapshotId);
        return CompletableFuture.supplyAsync(
                () -> {
                    Map<String, Object> tree = new LinkedHashMap<>();
                    tree.put("snapshotId", snapshotId);
                    tree.put("rigId", snapshot.rigId());
                    tree.put("nodes", restores.restore(caller, snapshot, actor));
                    return new JsonTree(tree);
                },
                executor);
    }

    private static Map<String, Object> line(RigSnapshot snapshot) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", snapshot.snapshotId());
        tree.put("rigId", snapshot.rigId());
        tree.put("rigName", snapshot.rigName());
        tree.put("kind", snapshot.kind());
        tree.put("createdBy", snapshot.createdBy());
        tree.put("createdAt", snapshot.createdAt().toString());
        return tree;
    }

    private static Map<String, Object> whole(RigSnapshot snapshot) {
        Map<String, Object> tree = line(snapshot);
        tree.put("data", StrictJson.object(snapshot.data()));
        return tree;
    }
}
