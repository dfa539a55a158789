package org.berth.startup.rest;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.ResumeSelection;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.ProjectionService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.startup.StartupPlan;
import org.berth.startup.service.LaunchOutcome;
import org.berth.startup.service.LaunchSelection;
import org.berth.startup.service.LaunchService;
import org.berth.startup.service.ViewerService;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** Launch of a bound environment's native, and windows on it. Unknown members of a body are ignored. */
@Path("/api/environments")
@Produces(MediaType.APPLICATION_JSON)
public class LaunchResource {
    private static final int MAX_WORD = 160;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Senders senders;

    @Inject
    private LaunchService launches;

    @Inject
    private ProjectionService projections;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private ViewerService viewers;

    @POST
    @Path("{bindingId}/launch")
    public CompletionStage<JsonTree> launch(@PathParam("bindingId") String bindingId, JsonTree body) {
        Actor actor = senders.writer();
        Map<String, Object> members = body == null ? Map.of() : body.members();
        if (members.get("forkSource") != null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_RESTORE_UNSUPPORTED,
                    "A contained conversation cannot be forked; nothing was started.");
        }
        Map<?, ?> resume = members.get("resume") instanceof Map<?, ?> named ? named : Map.of();
        LaunchSelection selection = new LaunchSelection(
                text(members, "generation"),
                new ResumeSelection(text(resume, "type"), text(resume, "token"), null),
                new StartupPlan(
                        List.of(),
                        List.of(),
                        text(members, "model"),
                        text(members, "effort"),
                        text(members, "permissionMode")));
        return CompletableFuture.supplyAsync(() -> tree(launches.launch(bindingId, selection, actor)), executor);
    }

    /** Proves the projection and opens one more window; the answer names the attempt to attach to. */
    @POST
    @Path("{bindingId}/connect")
    public CompletionStage<JsonTree> connect(@PathParam("bindingId") String bindingId, JsonTree body) {
        senders.writer();
        String generation =
                EnvironmentRules.identifier(text(body == null ? Map.of() : body.members(), "generation"), "generation");
        return CompletableFuture.supplyAsync(
                () -> {
                    projections.validate(bindingId, generation);
                    return JsonTree.of("attempt_id", viewers.open(reader.ours(bindingId), generation));
                },
                executor);
    }

    private static JsonTree tree(LaunchOutcome outcome) {
        Map<String, Object> tree = new LinkedHashMap<>(outcome.receipt());
        tree.put("viewer", outcome.viewer());
        tree.put("warnings", outcome.warnings());
        if (outcome.context() != null) {
            tree.put("context", outcome.context().tree());
        }
        return new JsonTree(tree);
    }

    private static String text(Map<?, ?> members, String name) {
        Object value = members.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof String text && text.length() <= MAX_WORD && text.indexOf('\0') < 0) {
            return text;
        }
        throw new BerthException(
                ProblemCode.INVALID_ENVIRONMENT_REQUEST,
                name + " must be a string of at most " + MAX_WORD + " characters.");
    }
}
