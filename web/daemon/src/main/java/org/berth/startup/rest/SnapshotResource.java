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
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.rig.RigSnapshot;
import org.berth.startup.service.RigRestore;
import org.berth.startup.service.SnapshotService;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** Single snapshots, and the restore of a whole rig. */
@Path("/api/snapshots")
@Produces(MediaType.APPLICATION_JSON)
public class SnapshotResource {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Senders senders;

    @Inject
    private SnapshotService snapshots;

    @Inject
    private RigRestore restores;

    @GET
    @Path("{snapshotId}")
    public JsonTree show(@PathParam("snapshotId") String snapshotId) {
        return new JsonTree(SnapshotViews.whole(snapshots.visible(senders.reader(), snapshotId)));
    }

    /** The checkpoints that it refers to stay. */
    @DELETE
    @Path("{snapshotId}")
    public JsonTree delete(@PathParam("snapshotId") String snapshotId) {
        senders.writer();
        snapshots.delete(senders.reader(), snapshotId);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", snapshotId);
        tree.put("deleted", true);
        return new JsonTree(tree);
    }

    @POST
    @Path("{snapshotId}/restore")
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
}
