package org.berth.startup.rest;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.problem.BerthException;
import org.berth.startup.service.RigStart;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.Actor;

/** The start of a rig's members. */
@Path("/api/rigs")
@Produces(MediaType.APPLICATION_JSON)
public class RigStartResource {
    private static final int MOST_SEATS = 256;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Senders senders;

    @Inject
    private RigStart rigs;

    @POST
    @Path("{rigId}/up")
    public CompletionStage<JsonTree> up(@PathParam("rigId") String rigId, JsonTree body) {
        Actor actor = senders.writer();
        Fields.of(body, "seats");
        Set<String> seats = seats(body);
        return CompletableFuture.supplyAsync(() -> JsonTree.of("nodes", rigs.up(rigId, seats, actor)), executor);
    }

    private static Set<String> seats(JsonTree body) {
        Object value = body == null ? null : body.members().get("seats");
        if (value == null) {
            return Set.of();
        }
        Set<String> seats = new LinkedHashSet<>();
        if (value instanceof List<?> list && list.size() <= MOST_SEATS) {
            for (Object each : list) {
                if (!(each instanceof String seat)) {
                    throw BerthException.invalid("seats must be a list of seats");
                }
                seats.add(seat);
            }
            return seats;
        }
        throw BerthException.invalid("seats must be a list of at most " + MOST_SEATS + " seats");
    }
}
