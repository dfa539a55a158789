package org.berth.execution.rest;

import jakarta.batch.runtime.BatchStatus;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.execution.service.BatchExecutions;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Executions of batch jobs, for operators. */
@Path("/api/batch/executions")
@Produces(MediaType.APPLICATION_JSON)
public class BatchExecutionResource {
    private static final int MAX_PAGE = 1000;

    @Inject
    private Callers callers;

    @Inject
    private BatchExecutions executions;

    @GET
    public JsonTree newest(
            @QueryParam("job") String job, @QueryParam("state") String state, @QueryParam("limit") String limit) {
        return new JsonTree(Map.of(
                "executions",
                executions.newest(
                        callers.current(),
                        job == null ? null : Fields.identifier("job", job),
                        state == null ? null : Fields.constant("state", state, BatchStatus.class),
                        (int) Fields.queryNumber("limit", limit, 50, 1, MAX_PAGE))));
    }

    @POST
    @Path("{executionId}/restart")
    public JsonTree restart(@PathParam("executionId") String executionId, JsonTree body) {
        Fields.of(body);
        long restarted = Fields.queryNumber("executionId", executionId, 0, 1, Long.MAX_VALUE);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("executionId", executions.restart(callers.current(), restarted));
        tree.put("restarted", restarted);
        return new JsonTree(tree);
    }
}
