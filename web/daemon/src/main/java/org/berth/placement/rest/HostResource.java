package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;
import org.berth.placement.service.HostService;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** What this host is, can do and allows. */
@Path("/api/placement")
@Produces(MediaType.APPLICATION_JSON)
public class HostResource {
    private static final int MAX_PATH = 4096;

    @Inject
    private Callers callers;

    @Inject
    private HostService hosts;

    @GET
    @Path("capabilities")
    public CompletionStage<JsonTree> capabilities() {
        callers.current();
        return hosts.capabilities().thenApply(JsonTree::new);
    }

    @GET
    @Path("host")
    public JsonTree policy() {
        callers.current();
        return new JsonTree(hosts.policy());
    }

    @POST
    @Path("host/reload")
    public JsonTree reload(JsonTree body) {
        Fields.of(body);
        return new JsonTree(hosts.reload(callers.current()));
    }

    @POST
    @Path("executables/measure")
    public CompletionStage<JsonTree> measure(JsonTree body) {
        Fields fields = Fields.of(AttemptResource.requireBody(body), "path");
        return hosts.measure(callers.current(), fields.text("path", MAX_PATH))
                .thenApply(measured -> new JsonTree(Views.measurement(measured)));
    }
}
