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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentViewers;
import org.berth.environment.service.EnvironmentReader;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigNode;
import org.berth.rig.service.RigService;
import org.berth.web.JsonTree;
import org.berth.web.Senders;

/** Stops a contained seat: its windows close, and the answer says that nothing else did. Source: environments.md, Rigs. */
@Path("/api/seats/{seat}/stop")
@Produces(MediaType.APPLICATION_JSON)
public class SeatStopResource {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Senders senders;

    @Inject
    private RigService rigs;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentViewers viewers;

    @POST
    public CompletionStage<JsonTree> stop(@PathParam("seat") String seat) {
        senders.writer();
        RigNode node = rigs.seat(senders.reader(), seat).node();
        BindingRecord binding = reader.forNode(node.nodeId(), seat)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_BINDING_MISSING,
                        "The seat " + seat + " has no environment; what runs outside of one is an attempt to stop."));
        return CompletableFuture.supplyAsync(() -> closed(seat, node, reader.ours(binding.bindingId())), executor);
    }

    private JsonTree closed(String seat, RigNode node, BindingRecord binding) {
        if (!viewers.close(binding.bindingId())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_VIEWER_UNCONFIRMED,
                    "Not every window's end is observed; native and compute are as they were.");
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("ok", true);
        tree.put("seat", seat);
        tree.put("nodeId", node.nodeId());
        tree.put("bindingId", binding.bindingId());
        tree.put("paneOnly", true);
        return new JsonTree(tree);
    }
}
