package org.berth.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reads {@code /api/events} on a thread of its own, as a browser's EventSource would. */
final class EventClient implements AutoCloseable {
    /** One event; {@code data} is the JSON object of its data line. */
    record Event(String id, String type, Map<String, Object> data) {
        /** The inner data of the announcement. */
        Object of(String name) {
            return Json.at(data, "data", name);
        }
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final InputStream body;
    private volatile int comments;
    private volatile boolean ended;

    /** @param lastId null to begin now */
    EventClient(Api api, String query, String lastId) {
        HttpRequest.Builder request = api.request("/api/events" + query);
        if (lastId != null) {
            request.header("Last-Event-ID", lastId);
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("the stream answered " + response.statusCode());
            }
            body = response.body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Thread.ofPlatform().daemon().start(this::read);
        Await.until("the stream is open", () -> comments > 0);
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String id = null;
            String type = null;
            String data = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(":")) {
                    comments++;
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && data != null) {
                    events.add(new Event(id, type, Json.object(data)));
                    data = null;
                }
            }
        } catch (IOException e) {
            // The server closed the connection.
        } finally {
            ended = true;
        }
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    int comments() {
        return comments;
    }

    boolean ended() {
        return ended;
    }

    /** Once there are {@code count} events. */
    List<Event> await(int count) {
        return Await.value(count + " events", this::events, all -> all.size() >= count);
    }

    @Override
    public void close() throws IOException {
        body.close();
        http.shutdownNow();
    }
}
