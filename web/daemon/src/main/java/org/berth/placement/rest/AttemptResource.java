package org.berth.placement.rest;

import jakarta.inject.Inject;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.berth.access.Caller;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.ExecutionState;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.placement.StopMode;
import org.berth.placement.service.AttachService;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.CleanupService;
import org.berth.placement.service.PrepareService;
import org.berth.placement.service.ReconcileService;
import org.berth.placement.service.StartService;
import org.berth.placement.service.StopService;
import org.berth.problem.BerthException;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** The contract operations of one attempt. Source: api.md, Placement routes. */
@Path("/api/placement/attempts")
@Produces(MediaType.APPLICATION_JSON)
public class AttemptResource {
    private static final int MAX_PAGE = 1000;
    private static final long OBSERVE_MILLIS = 5_000;

    @Inject
    private Callers callers;

    @Inject
    private PrepareService prepares;

    @Inject
    private StartService starts;

    @Inject
    private StopService stops;

    @Inject
    private ReconcileService reconciles;

    @Inject
    private CleanupService cleanups;

    @Inject
    private AttachService attaches;

    @Inject
    private AttemptReader reader;

    @POST
    public CompletionStage<Response> prepare(JsonTree body) {
        PrepareRequest request = PrepareRequestDecoder.decode(requireBody(body).members());
        return prepares.prepare(callers.current(), request).thenApply(prepared -> {
            Map<String, Object> tree = Views.attempt(prepared.attempt());
            tree.put("notices", prepared.notices());
            return Response.status(prepared.created() ? 201 : 200)
                    .entity(new JsonTree(tree))
                    .build();
        });
    }

    @GET
    public JsonTree page(
            @QueryParam("state") String state,
            @QueryParam("owner") String owner,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        int count = (int) Fields.queryNumber("limit", limit, 50, 1, MAX_PAGE);
        ExecutionState wanted = state == null ? null : Fields.constant("state", state, ExecutionState.class);
        List<Attempt> page = reader.page(callers.current(), wanted, owner, after, count);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("attempts", Views.attempts(page));
        if (page.size() == count) {
            tree.put("next_after", page.getLast().attemptId());
        }
        return new JsonTree(tree);
    }

    @GET
    @Path("{id}")
    public CompletionStage<JsonTree> status(@PathParam("id") String id) {
        Attempt attempt = reader.visible(callers.current(), id);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("attempt", Views.attempt(attempt));
        if (attempt.executionState() == ExecutionState.INTENDED) {
            tree.put("liveness", Map.of("observed", "not_started", "alive", false));
            return java.util.concurrent.CompletableFuture.completedFuture(new JsonTree(tree));
        }
        return observed(attempt).handle((status, failure) -> {
            tree.put(
                    "liveness",
                    failure == null ? Views.liveness(status) : Map.of("observed", "unobserved", "alive", false));
            return new JsonTree(tree);
        });
    }

    private CompletionStage<org.berth.placement.RunnerStatus> observed(Attempt attempt) {
        try {
            return reconciles.observe(attempt).toCompletableFuture().orTimeout(OBSERVE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (BerthException e) {
            return java.util.concurrent.CompletableFuture.failedFuture(e);
        }
    }

    @POST
    @Path("{id}/start")
    public CompletionStage<JsonTree> start(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return viewed(starts.start(callers.current(), id));
    }

    @POST
    @Path("{id}/stop")
    public CompletionStage<JsonTree> stop(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(requireBody(body), "mode");
        return viewed(stops.stop(callers.current(), id, fields.constant("mode", StopMode.class)));
    }

    @POST
    @Path("{id}/reconcile")
    public CompletionStage<JsonTree> reconcile(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return viewed(reconciles.reconcile(callers.current(), id));
    }

    @POST
    @Path("{id}/cleanup")
    public CompletionStage<JsonTree> cleanup(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return viewed(cleanups.cleanUp(callers.current(), id));
    }

    @POST
    @Path("{id}/attach")
    public CompletionStage<JsonTree> attach(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(requireBody(body), "recipient");
        if (!"stream".equals(fields.text("recipient", 16))) {
            throw BerthException.invalid("recipient must be stream; a log recipient is chosen at prepare");
        }
        return attaches.attach(callers.current(), id).thenApply(attempt -> {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("attempt", Views.attempt(attempt));
            tree.put("generation", attempt.attachmentGeneration());
            tree.put(
                    "stream_url",
                    "/api/placement/attempts/" + attempt.attemptId() + "/stream?generation="
                            + attempt.attachmentGeneration());
            return new JsonTree(tree);
        });
    }

    @GET
    @Path("{id}/evidence")
    public JsonTree evidence(
            @PathParam("id") String id, @QueryParam("after") String after, @QueryParam("limit") String limit) {
        Caller caller = callers.current();
        int count = (int) Fields.queryNumber("limit", limit, 200, 1, MAX_PAGE);
        List<Evidence> rows =
                reader.evidence(caller, id, Fields.queryNumber("after", after, 0, 0, Long.MAX_VALUE), count);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("attempt_id", id);
        tree.put("evidence", rows.stream().map(Views::evidence).toList());
        if (rows.size() == count) {
            tree.put("next_after", rows.getLast().sequence());
        }
        return new JsonTree(tree);
    }

    private static CompletionStage<JsonTree> viewed(CompletionStage<Attempt> attempt) {
        return attempt.thenApply(Views::attempt).thenApply(JsonTree::new);
    }

    static JsonTree requireBody(JsonTree body) {
        if (body == null) {
            throw BerthException.invalid("the body is empty; a JSON object is needed");
        }
        return body;
    }
}
