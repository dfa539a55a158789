package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;
import org.berth.harness.service.JobService;
import org.berth.harness.service.NewSession;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** A session's jobs. No answer takes longer than the session's budget. */
@Path("/api/harness/sessions/{id}/jobs")
@Produces(MediaType.APPLICATION_JSON)
public class JobResource {
    @Inject
    private Callers callers;

    @Inject
    private JobService jobs;

    @GET
    public JsonTree list(@PathParam("id") String id) {
        return JsonTree.of(
                "jobs",
                jobs.list(callers.current(), id).stream().map(JobService::tree).toList());
    }

    @GET
    @Path("{job}")
    public JsonTree show(@PathParam("id") String id, @PathParam("job") String job) {
        return new JsonTree(JobService.whole(jobs.find(callers.current(), id, job)));
    }

    @POST
    @Path("{job}/wait")
    public CompletionStage<JsonTree> await(@PathParam("id") String id, @PathParam("job") String job, JsonTree body) {
        Fields fields = Fields.of(body, "timeoutMs");
        Long timeout = fields.has("timeoutMs") ? fields.whole("timeoutMs", 0, NewSession.MOST_BUDGET_MILLIS) : null;
        return viewed(jobs.wait(callers.current(), id, job, timeout));
    }

    @POST
    @Path("{job}/cancel")
    public CompletionStage<JsonTree> cancel(@PathParam("id") String id, @PathParam("job") String job, JsonTree body) {
        Fields.of(body);
        return viewed(jobs.cancel(callers.current(), id, job));
    }

    static CompletionStage<JsonTree> viewed(CompletionStage<JobService.Answer> answer) {
        return answer.thenApply(each -> new JsonTree(each.tree()));
    }
}
