package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.berth.placement.Attempt;
import org.berth.placement.service.AttemptReader;
import org.berth.placement.service.LiveStreams;
import org.berth.problem.BerthException;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** The stream for clients without WebSocket: a long poll. Source: api.md, Stream. */
@Path("/api/placement/attempts")
@Produces(MediaType.APPLICATION_JSON)
public class OutputResource {
    private static final int MAX_WAIT_SECONDS = 60;
    /** Chunks come in one after the other: a poll that got the first waits this long for those behind it. */
    private static final long GATHER_MILLIS = 5;

    @Inject
    private Callers callers;

    @Inject
    private AttemptReader reader;

    @Inject
    private LiveStreams streams;

    @GET
    @Path("{id}/output")
    public CompletionStage<JsonTree> poll(
            @PathParam("id") String id,
            @QueryParam("generation") String generation,
            @QueryParam("after") String after,
            @QueryParam("wait") String wait) {
        Attempt attempt = reader.visible(callers.current(), id);
        long wanted = Fields.queryNumber("generation", generation, attempt.attachmentGeneration(), 0, Long.MAX_VALUE);
        long seconds = Fields.queryNumber("wait", wait, 0, 0, MAX_WAIT_SECONDS);
        PolledOutput polled = new PolledOutput(Fields.queryNumber("after", after, 0, 0, Long.MAX_VALUE));
        if (wanted != attempt.attachmentGeneration()) {
            throw BerthException.conflict(
                    "generation " + wanted + " is fenced; " + attempt.attachmentGeneration() + " is in force");
        }
        streams.connect(attempt, wanted, polled);
        CompletableFuture<Void> over = polled.something()
                .copy()
                .completeOnTimeout(null, Math.max(seconds * 1000, GATHER_MILLIS), TimeUnit.MILLISECONDS);
        return over.thenCompose(first ->
                        polled.nothingMore().copy().completeOnTimeout(null, GATHER_MILLIS, TimeUnit.MILLISECONDS))
                .thenApply(gathered -> {
                    streams.disconnect(attempt, polled);
                    return polled.answer();
                });
    }
}
