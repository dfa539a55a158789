package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.berth.harness.service.SessionService;
import org.berth.json.JsonText;
import org.berth.web.Callers;

/** Server-sent events of one session: a snapshot, then every change. A client that does not take them is disconnected. */
@Path("/api/harness/sessions/{id}/events")
public class SessionEventsResource {
    /** Events on their way to one client, at most. Source: an own choice. */
    private static final int MOST_WAITING = 1000;

    @Inject
    private Callers callers;

    @Inject
    private SessionService sessions;

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void watch(@PathParam("id") String id, @Context Sse sse, @Context SseEventSink sink) {
        sessions.watch(callers.current(), id, new Client(sse, sink));
    }

    private static final class Client implements BiConsumer<String, Map<String, Object>> {
        private final Sse sse;
        private final SseEventSink sink;
        private final AtomicInteger waiting = new AtomicInteger();

        private Client(Sse sse, SseEventSink sink) {
            this.sse = sse;
            this.sink = sink;
        }

        /** @throws IllegalStateException when the client is gone or takes nothing: it is told nothing more */
        @Override
        public void accept(String event, Map<String, Object> data) {
            if (sink.isClosed() || waiting.incrementAndGet() > MOST_WAITING) {
                sink.close();
                throw new IllegalStateException("the client takes no events");
            }
            sink.send(sse.newEventBuilder()
                            .name(event)
                            .data(JsonText.write(data))
                            .build())
                    .whenComplete((sent, failure) -> {
                        waiting.decrementAndGet();
                        if (failure != null) {
                            // The next event finds it closed, and the session forgets the client.
                            sink.close();
                        }
                    });
        }
    }
}
