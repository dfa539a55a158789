package org.berth.web;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.placement.service.HostHealth;

/** The only route without a token: whether the server, its supervisor and its database answer, and nothing else. */
@Path("/healthz")
public class HealthResource {
    @Inject
    private HostHealth health;

    @GET
    @Produces("application/json")
    public Response health() {
        boolean supervisor = health.supervisorAnswers();
        boolean database = health.databaseAnswers();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("status", supervisor && database ? "up" : "down");
        tree.put("supervisor", supervisor ? "up" : "down");
        tree.put("database", database ? "up" : "down");
        return Response.status(supervisor && database ? 200 : 503)
                .entity(new JsonTree(tree))
                .build();
    }
}
