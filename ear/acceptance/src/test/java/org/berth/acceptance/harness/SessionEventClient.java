package org.berth.acceptance.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.berth.acceptance.Await;
import org.berth.acceptance.Json;

/** Hears the events of one session on a thread of its own. */
final class SessionEventClient implements AutoCloseable {
    record Event(String name, Map<String, Object> data) {
        boolean isOf(String wanted, String job) {
            return name.equals(wanted) && job.equals(data.get("job"));
        }
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final InputStream body;

    SessionEventClient(Session session) {
        try {
            HttpResponse<InputStream> response = http.send(
                    session.api().request(session.path("/events")).build(), HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("the events answered " + response.statusCode());
            }
            body = response.body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        Thread.ofPlatform().daemon().start(this::read);
        await("the snapshot", event -> event.name().equals("snapshot"));
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String name = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:")) {
                    name = line.substring("event:".length()).strip();
                } else if (line.startsWith("data:")) {
                    events.add(new Event(name, Json.object(line.substring("data:".length()))));
                }
            }
        } catch (IOException e) {
            // The connection was closed.
        }
    }

    /** In the order in which they came. */
    List<Event> events() {
        return List.copyOf(events);
    }

    /** Everything until now, once there is such an event. */
    List<Event> await(String what, Predicate<Event> wanted) {
        return Await.value(what, this::events, all -> all.stream().anyMatch(wanted));
    }

    @Override
    public void close() throws IOException {
        body.close();
        http.shutdownNow();
    }
}
