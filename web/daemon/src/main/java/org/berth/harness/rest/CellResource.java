package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;
import org.berth.harness.service.CellService;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Runs cells in a session's kernel. */
@Path("/api/harness/sessions/{id}/cells")
@Produces(MediaType.APPLICATION_JSON)
public class CellResource {
    @Inject
    private Callers callers;

    @Inject
    private CellService cells;

    /** Waits, at most for the session's budget. */
    @POST
    public CompletionStage<JsonTree> run(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(body, "code");
        return cells.run(callers.current(), id, fields.text("code", CellService.MOST_CODE))
                .thenApply(JsonTree::new);
    }

    /** Interrupts the cell that runs. */
    @POST
    @Path("interrupt")
    public JsonTree interrupt(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return new JsonTree(cells.interrupt(callers.current(), id));
    }
}
