package org.berth.environment.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.environment.Completions;
import org.berth.environment.service.CompletionJob;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** The check of every selected completion of this host, for operators and owners. */
@Path("/api/completions")
@Produces(MediaType.APPLICATION_JSON)
public class CompletionCheckResource {
    @Inject
    private CompletionJob job;

    @POST
    @Path("check")
    public CompletionStage<JsonTree> check(JsonTree body) {
        Fields.of(body);
        return job.check().thenApply(CompletionCheckResource::tree);
    }

    private static JsonTree tree(Completions.Outcome outcome) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("selected", (long) outcome.selected());
        tree.put("attempted", (long) outcome.attempted());
        tree.put("confirmed", (long) outcome.confirmed());
        return new JsonTree(tree);
    }
}
