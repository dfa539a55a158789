package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The server's public routes, called with one token. For any thread. */
public final class Api {
    public static final String ATTEMPTS = "/api/placement/attempts";

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PAGE = 1000;
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final String base;
    private final String token;

    /** @param token null to call without one */
    public Api(String base, String token) {
        this.base = base;
        this.token = token;
    }

    public String base() {
        return base;
    }

    public String token() {
        return token;
    }

    /** The same server, called with another token. */
    public Api with(String other) {
        return new Api(base, other);
    }

    public Answer get(String path) {
        return send(request("GET", path, null, null));
    }

    /** Without a body. */
    public Answer post(String path) {
        return send(request("POST", path, HttpRequest.BodyPublishers.noBody(), null));
    }

    public Answer post(String path, Map<String, ?> body) {
        return raw("POST", path, "application/json", Json.write(body).getBytes(StandardCharsets.UTF_8));
    }

    /** A POST that names {@code sender} as the acting seat; null for none. */
    public Answer postAs(String sender, String path, Map<String, ?> body) {
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
        return send((sender == null ? request : request.header("X-OpenRig-Session", sender)).build());
    }

    /** Any body under any media type ({@code null} for none). */
    public Answer raw(String method, String path, String mediaType, byte[] body) {
        return send(request(method, path, HttpRequest.BodyPublishers.ofByteArray(body), mediaType));
    }

    /** A request of this server with the token, to be completed by the caller. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
        return token == null ? builder : builder.header("Authorization", "Bearer " + token);
    }

    private HttpRequest request(String method, String path, HttpRequest.BodyPublisher body, String mediaType) {
        HttpRequest.Builder builder =
                request(path).method(method, body == null ? HttpRequest.BodyPublishers.noBody() : body);
        return (mediaType == null ? builder : builder.header("Content-Type", mediaType)).build();
    }

    /** Sends it and reads the whole answer. */
    public static Answer send(HttpRequest request) {
        long start = System.nanoTime();
        try {
            HttpResponse<byte[]> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(
                    request.method() + " " + request.uri().getPath(),
                    response.statusCode(),
                    response.headers(),
                    response.body(),
                    Duration.ofNanos(System.nanoTime() - start).toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    // The operations on one attempt; each expects what a right request gets.

    public Answer prepare(LaunchRequests launch) {
        return post(ATTEMPTS, launch.tree());
    }

    /** Prepared; the attempt's id. */
    public String prepared(LaunchRequests launch) {
        return prepare(launch).expect(201).text("attempt_id");
    }

    /** Prepared and started; the attempt's id. */
    public String started(LaunchRequests launch) {
        String id = prepared(launch);
        start(id).expect(200);
        return id;
    }

    public Answer start(String id) {
        return post(ATTEMPTS + "/" + id + "/start");
    }

    public Answer stop(String id, String mode) {
        return post(ATTEMPTS + "/" + id + "/stop", Map.of("mode", mode));
    }

    public Answer reconcile(String id) {
        return post(ATTEMPTS + "/" + id + "/reconcile");
    }

    public Answer cleanUp(String id) {
        return post(ATTEMPTS + "/" + id + "/cleanup");
    }

    public Answer attach(String id) {
        return post(ATTEMPTS + "/" + id + "/attach", Map.of("recipient", "stream"));
    }

    public Answer status(String id) {
        return get(ATTEMPTS + "/" + id);
    }

    /** The recorded attempt. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> attempt(String id) {
        return (Map<String, Object>) status(id).expect(200).at("attempt");
    }

    /** Every evidence row, page by page. */
    public List<Map<String, Object>> evidence(String id) {
        List<Map<String, Object>> all = new ArrayList<>();
        Object after = 0L;
        while (after != null) {
            Answer page = get(ATTEMPTS + "/" + id + "/evidence?after=" + after + "&limit=" + PAGE)
                    .expect(200);
            all.addAll(Json.objects(page.json(), "evidence"));
            after = page.at("next_after");
        }
        return all;
    }

    /** The kinds of the evidence rows, in order. */
    public List<String> evidenceKinds(String id) {
        return evidence(id).stream().map(row -> (String) row.get("kind")).toList();
    }

    /** The recorded attempt, once its execution is {@code state}. */
    public Map<String, Object> awaitState(String id, String state) {
        return Await.value(
                id + " becomes " + state, () -> attempt(id), attempt -> state.equals(attempt.get("execution_state")));
    }

    /** The recorded exit, once the attempt has exited: {@code {code}}, {@code {signal}} or {@code {unknown}}. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> awaitExit(String id) {
        return (Map<String, Object>) awaitState(id, "exited").get("exit");
    }

    /** Once evidence of {@code kind} is there, that row. */
    public Map<String, Object> awaitEvidence(String id, String kind) {
        List<Map<String, Object>> rows = Await.value(
                id + " has evidence " + kind,
                () -> evidence(id),
                all -> all.stream().anyMatch(row -> kind.equals(row.get("kind"))));
        return rows.stream()
                .filter(row -> kind.equals(row.get("kind")))
                .findFirst()
                .orElseThrow();
    }
}
