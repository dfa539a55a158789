package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.harness.service.ToolCallService;
import org.berth.problem.BerthException;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Calls tools of a session. */
@Path("/api/harness/sessions/{id}/tool-calls")
@Produces(MediaType.APPLICATION_JSON)
public class ToolCallResource {
    private static final int MAX_TOOL = 160;

    @Inject
    private Callers callers;

    @Inject
    private ToolCallService calls;

    /** Waits, at most for the session's budget. */
    @POST
    public CompletionStage<JsonTree> call(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(body, "tool", "args");
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (fields.has("args")) {
            if (!(body.members().get("args") instanceof Map<?, ?> given)) {
                throw BerthException.invalid("args must be an object");
            }
            given.forEach((name, value) -> arguments.put(String.valueOf(name), value));
        }
        return calls.call(callers.current(), id, fields.text("tool", MAX_TOOL), arguments)
                .thenApply(JsonTree::new);
    }

    /** Ends a running call with what it reported. */
    @POST
    @Path("{call}/abort")
    public JsonTree abort(@PathParam("id") String id, @PathParam("call") String call, JsonTree body) {
        Fields.of(body);
        return new JsonTree(calls.abort(callers.current(), id, call));
    }
}
