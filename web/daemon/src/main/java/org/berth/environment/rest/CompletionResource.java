package org.berth.environment.rest;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.berth.environment.CompletionRequest;
import org.berth.environment.CompletionSelection;
import org.berth.environment.service.CompletionJob;
import org.berth.environment.service.CompletionService;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** The selection of a completion, which is checked at once. Unknown members of a body are ignored. */
@Path("/api/environments")
@Produces(MediaType.APPLICATION_JSON)
public class CompletionResource {
    /** Longer than the calls of one stop; what takes longer goes on, and the answer says what is recorded by then. */
    private static final int PATIENCE_SECONDS = 100;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Senders senders;

    @Inject
    private CompletionService completions;

    @Inject
    private CompletionJob job;

    @POST
    @Path("{bindingId}/completion")
    public CompletionStage<JsonTree> select(@PathParam("bindingId") String bindingId, JsonTree body) {
        Actor actor = senders.writer();
        CompletionRequest request = CompletionRequest.of(body == null ? Map.of() : body.members());
        return CompletableFuture.supplyAsync(() -> completions.select(bindingId, request, actor), executor)
                .thenCompose(selection -> checked(bindingId, selection));
    }

    private CompletionStage<JsonTree> checked(String bindingId, CompletionSelection selection) {
        return job.check()
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .handleAsync((_, _) -> new JsonTree(completions.standing(bindingId, selection)), executor);
    }
}
