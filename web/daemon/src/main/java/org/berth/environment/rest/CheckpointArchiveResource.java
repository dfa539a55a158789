package org.berth.environment.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.service.CheckpointArchive;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;

/** Every checkpoint, with what it takes of the disk. Source: environments.md, Limits. */
@Path("/api/checkpoints")
@Produces(MediaType.APPLICATION_JSON)
public class CheckpointArchiveResource {
    private static final int MAX_PAGE = 1000;

    @Inject
    private Senders senders;

    @Inject
    private CheckpointArchive archive;

    @GET
    public JsonTree page(@QueryParam("after") String after, @QueryParam("limit") String limit) {
        senders.reader();
        return page(archive, null, after, limit);
    }

    @GET
    @Path("{checkpointId}")
    public JsonTree show(@PathParam("checkpointId") String checkpointId) {
        senders.reader();
        return new JsonTree(archive.show(checkpointId));
    }

    @DELETE
    @Path("{checkpointId}")
    public JsonTree remove(@PathParam("checkpointId") String checkpointId) {
        return new JsonTree(archive.remove(checkpointId, senders.writer()));
    }

    /** @param bindingId null for every binding's */
    static JsonTree page(CheckpointArchive archive, String bindingId, String after, String limit) {
        int count = (int) Fields.queryNumber("limit", limit, 50, 1, MAX_PAGE);
        List<Map<String, Object>> page = archive.page(bindingId, after, count);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("checkpoints", page);
        if (page.size() == count) {
            tree.put("nextAfter", page.getLast().get("checkpointId"));
        }
        return new JsonTree(tree);
    }
}
