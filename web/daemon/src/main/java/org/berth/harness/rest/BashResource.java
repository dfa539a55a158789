package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;
import org.berth.harness.service.JobService;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Runs a command in a session, as one of its jobs. */
@Path("/api/harness/sessions/{id}/bash")
@Produces(MediaType.APPLICATION_JSON)
public class BashResource {
    @Inject
    private Callers callers;

    @Inject
    private JobService jobs;

    /** Without {@code wait} it waits, at most for the session's budget. */
    @POST
    public CompletionStage<JsonTree> run(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(body, "command", "wait");
        boolean wait = !fields.has("wait") || fields.flag("wait");
        return JobResource.viewed(
                jobs.bash(callers.current(), id, fields.text("command", JobService.MOST_COMMAND), wait));
    }
}
