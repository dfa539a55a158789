package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.placement.AgentRunDecoder;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.service.AgentRuns;
import org.berth.placement.service.Prepared;
import org.berth.web.Callers;
import org.berth.web.JsonTree;

/** Runs of agents, as the host's policies select them. */
@Path("/api/placement/agent-runs")
@Produces(MediaType.APPLICATION_JSON)
public class AgentRunResource {
    @Inject
    private Callers callers;

    @Inject
    private AgentRuns runs;

    @POST
    public CompletionStage<Response> prepare(JsonTree body) {
        AgentRunRequest run =
                AgentRunDecoder.decode(AttemptResource.requireBody(body).members());
        return runs.prepare(callers.current(), run).thenApply(AgentRunResource::answer);
    }

    private static Response answer(Prepared prepared) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("attempt", Views.attempt(prepared.attempt()));
        tree.put("notices", prepared.notices());
        return Response.status(prepared.created() ? 201 : 200)
                .entity(new JsonTree(tree))
                .build();
    }
}
