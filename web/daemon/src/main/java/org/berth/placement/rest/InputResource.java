package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.berth.access.Caller;
import org.berth.placement.InputOutcome;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.InputService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Input to an attempt and acknowledgement of its output, for clients without WebSocket. Source: api.md, Stream. */
@Path("/api/placement/attempts")
@Produces(MediaType.APPLICATION_JSON)
public class InputResource {
    /** Source: placement.md, write 65536 bytes. */
    static final int MAX_WRITE_BYTES = 65_536;

    private static final Pattern WRITE_ID = Pattern.compile("[0-9a-f]{32}");

    @Inject
    private Callers callers;

    @Inject
    private AttemptReader reader;

    @Inject
    private InputService inputs;

    @POST
    @Path("{id}/input")
    public CompletionStage<JsonTree> write(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(AttemptResource.requireBody(body), "generation", "write_id", "data");
        String writeId = requireWriteId(fields.text("write_id", 64));
        long generation = fields.whole("generation", 0, Long.MAX_VALUE);
        byte[] data = decode(fields.text("data", 2 * MAX_WRITE_BYTES));
        return inputs.write(callers.current(), id, generation, writeId, data)
                .thenApply(outcome -> new JsonTree(acknowledgement(writeId, outcome)));
    }

    @POST
    @Path("{id}/ack")
    public JsonTree acknowledge(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(AttemptResource.requireBody(body), "generation", "consumed_through");
        long generation = fields.whole("generation", 0, Long.MAX_VALUE);
        long through = fields.whole("consumed_through", 0, Long.MAX_VALUE);
        inputs.acknowledge(reader.visible(callers.current(), id), generation, through);
        return JsonTree.of("consumed_through", through);
    }

    @POST
    @Path("{id}/stdin/close")
    public CompletionStage<JsonTree> closeStdin(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        Caller caller = callers.current();
        return inputs.closeStdin(caller, id).thenApply(outcome -> {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("attempt", Views.attempt(reader.visible(caller, id)));
            tree.put("closed", outcome.accepted());
            if (outcome.reason() != null) {
                tree.put("reason", outcome.reason());
            }
            return new JsonTree(tree);
        });
    }

    @GET
    @Path("{id}/writes/{write_id}")
    public CompletionStage<JsonTree> wrote(@PathParam("id") String id, @PathParam("write_id") String writeId) {
        return inputs.wrote(callers.current(), id, requireWriteId(writeId))
                .thenApply(accepted -> JsonTree.of("status", accepted ? "accepted" : "unknown"));
    }

    static String requireWriteId(String writeId) {
        if (!WRITE_ID.matcher(writeId).matches()) {
            throw BerthException.invalid("write_id must be 32 lower-case hex digits");
        }
        return writeId;
    }

    /** @throws BerthException INVALID or TOO_LARGE */
    static byte[] decode(String base64) {
        try {
            byte[] data = Base64.getDecoder().decode(base64);
            if (data.length > MAX_WRITE_BYTES) {
                throw new BerthException(ProblemCode.TOO_LARGE, "data is over " + MAX_WRITE_BYTES + " bytes");
            }
            return data;
        } catch (IllegalArgumentException e) {
            throw BerthException.invalid("data must be base64");
        }
    }

    static Map<String, Object> acknowledgement(String writeId, InputOutcome outcome) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", "input_ack");
        tree.put("write_id", writeId);
        tree.put("accepted", outcome.accepted());
        if (outcome.reason() != null) {
            tree.put("reason", outcome.reason());
        }
        tree.put("generation", outcome.generation());
        return tree;
    }
}
