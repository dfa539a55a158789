package org.berth.environment.rest;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.environment.ArtifactExports;
import org.berth.environment.BindingRecord;
import org.berth.environment.DriverKind;
import org.berth.environment.EffectRequest;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentBodies;
import org.berth.environment.EnvironmentConfigDecoder;
import org.berth.environment.EnvironmentEffect;
import org.berth.environment.EnvironmentEffects;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.EnvironmentTrees;
import org.berth.environment.ProjectionReceipt;
import org.berth.environment.service.BindService;
import org.berth.environment.service.CreateOutcome;
import org.berth.environment.service.CreateService;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.ProjectionService;
import org.berth.problem.ProblemCode;
import org.berth.web.BodyLimit;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/**
 * Contained environments. Unknown members of a body are ignored, and a writer names its seat. Source: environments.md,
 * Operations.
 */
@Path("/api/environments")
@Produces(MediaType.APPLICATION_JSON)
public class EnvironmentResource {
    private static final int MAX_PAGE = 1000;

    /** A list of 4096 files with their paths and digests is over the usual bound of a body. */
    private static final int PROJECTION_BODY = 8 << 20;

    @Inject
    private Senders senders;

    @Inject
    private CreateService creates;

    @Inject
    private BindService binds;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private ProjectionService projections;

    @Inject
    private ArtifactExports exports;

    @Inject
    private EnvironmentEffects effects;

    @Resource
    private ManagedExecutorService executor;

    @POST
    @Path("create")
    public Response create(JsonTree body) {
        Actor actor = senders.writer();
        Map<String, Object> members = members(body);
        return switch (creates.create(
                EnvironmentConfigDecoder.decode(members), EnvironmentBodies.text(members, "operationId"), actor)) {
            case CreateOutcome.Created made -> answer(201, made.binding(), null);
            case CreateOutcome.Existing found -> answer(200, found.binding(), null);
            case CreateOutcome.Unconfirmed open -> answer(202, open.binding(), open.code());
        };
    }

    @POST
    @Path("attach")
    public Response attach(JsonTree body) {
        Actor actor = senders.writer();
        Map<String, Object> members = members(body);
        BindService.Attached attached = binds.attach(
                EnvironmentConfigDecoder.decode(members),
                EnvironmentBodies.text(members, "operationId"),
                EnvironmentBodies.text(members, "resourceId"),
                EnvironmentBodies.text(members, "fingerprint"),
                actor);
        return answer(attached.fresh() ? 201 : 200, attached.binding(), null);
    }

    @GET
    public JsonTree page(
            @QueryParam("rig") String rig,
            @QueryParam("seat") String seat,
            @QueryParam("driver") String driver,
            @QueryParam("phase") String phase,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        senders.reader();
        int count = (int) Fields.queryNumber("limit", limit, 50, 1, MAX_PAGE);
        DriverKind kind = driver == null ? null : Fields.constant("driver", driver, DriverKind.class);
        List<BindingRecord> page = reader.page(rig, seat, kind, phase, after, count);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("environments", EnvironmentViews.page(page));
        if (page.size() == count) {
            tree.put("nextAfter", page.getLast().bindingId());
        }
        return new JsonTree(tree);
    }

    @GET
    @Path("{bindingId}")
    public JsonTree inspect(@PathParam("bindingId") String bindingId, @QueryParam("live") String live) {
        senders.reader();
        boolean observe = "true".equals(live);
        BindingRecord record;
        EnvironmentBinding binding;
        if (observe) {
            EnvironmentReader.Current current = reader.current(bindingId, false);
            record = current.record();
            binding = current.binding().withResource(current.observed());
        } else {
            record = reader.stored(bindingId);
            binding = record.binding();
        }
        Map<String, Object> tree = EnvironmentViews.inspected(binding, reader.operations(record), observe);
        tree.put("unenforced", reader.unenforced(binding));
        if (observe) {
            tree.put("egressRefusals", reader.egressRefusals(binding));
        }
        return new JsonTree(tree);
    }

    @DELETE
    @Path("{bindingId}")
    public JsonTree unbind(@PathParam("bindingId") String bindingId) {
        senders.writer();
        binds.unbind(bindingId);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("bindingId", bindingId);
        tree.put("unbound", true);
        return new JsonTree(tree);
    }

    @POST
    @Path("{bindingId}/project")
    public JsonTree project(@PathParam("bindingId") String bindingId, @BodyLimit(PROJECTION_BODY) JsonTree body) {
        senders.writer();
        Map<String, Object> members = members(body);
        String operationId = EnvironmentRules.identifier(EnvironmentBodies.text(members, "operationId"), "operationId");
        String generation = EnvironmentRules.identifier(EnvironmentBodies.text(members, "generation"), "generation");
        List<ProjectionReceipt> receipts =
                projections.project(bindingId, operationId, generation, EnvironmentBodies.projection(members));
        return new JsonTree(EnvironmentTrees.projection(bindingId, generation, receipts));
    }

    @POST
    @Path("{bindingId}/validate")
    public JsonTree validate(@PathParam("bindingId") String bindingId, JsonTree body) {
        senders.reader();
        String generation = EnvironmentBodies.text(members(body), "generation");
        projections.validate(bindingId, generation);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("ok", true);
        tree.put("generation", generation);
        tree.put("effect", "destination-verified");
        return new JsonTree(tree);
    }

    @POST
    @Path("{bindingId}/export")
    public JsonTree export(@PathParam("bindingId") String bindingId, JsonTree body) {
        Actor actor = senders.writer();
        return new JsonTree(exports.export(bindingId, EnvironmentBodies.artifact(members(body)), actor));
    }

    @POST
    @Path("{bindingId}/effect")
    public CompletionStage<JsonTree> effect(@PathParam("bindingId") String bindingId, JsonTree body) {
        Actor actor = senders.writer();
        Map<String, Object> members = members(body);
        EffectRequest request = new EffectRequest(
                EnvironmentBodies.text(members, "operationId"),
                EnvironmentBodies.text(members, "generation"),
                EnvironmentEffect.of(members.get("effect")),
                EnvironmentBodies.text(members, "engineSocket"));
        return CompletableFuture.supplyAsync(
                () -> new JsonTree(effects.effect(bindingId, request, actor, () -> true)), executor);
    }

    private static Response answer(int status, BindingRecord binding, ProblemCode code) {
        return Response.status(status)
                .entity(new JsonTree(EnvironmentViews.binding(binding, code)))
                .build();
    }

    private static Map<String, Object> members(JsonTree body) {
        return body == null ? Map.of() : body.members();
    }
}
