package org.berth.cli.api;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.Failure;
import org.berth.cli.Settings;
import org.berth.cli.output.Progress;

/** The public routes of one server. Safe for several threads. */
public final class ApiClient {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** A server that is starting takes the connection at once and answers when it is up. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(30);

    /** Longer than the longest start (120 s). Source: placement.md, Launch request, start_ms. */
    static final Duration ANSWER = Duration.ofSeconds(150);

    /** Names the acting seat. Source: environments.md, Operations. */
    private static final String SENDER = "X-OpenRig-Session";

    private static final String PROTOCOL = "berth.stream.1";

    private final Settings settings;
    private final Progress.Source progress;
    private final HttpClient http;

    public ApiClient(Settings settings, Progress.Source progress) {
        this.settings = settings;
        this.progress = progress;
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build();
    }

    /** A path or query part with everything but unreserved characters escaped. */
    public static String escape(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** One more part of a query that has a part already; empty for a null value. */
    public static String query(String name, String value) {
        return value == null ? "" : "&" + name + "=" + escape(value);
    }

    /** The route of one attempt, with {@code rest} after it. */
    public static String attemptPath(String attemptId, String rest) {
        return "/api/placement/attempts/" + escape(attemptId) + rest;
    }

    /** @throws ProblemException when the server refuses; @throws UnreachableException when none answers */
    public JsonObject get(String path) {
        return json(getBytes(path));
    }

    /** As {@link #get}, for any content; waits without a progress line, since a follower is expected to wait. */
    public HttpResponse<byte[]> getBytes(String path) {
        return send(request(path).GET().build());
    }

    /** @param body null for none */
    public JsonObject post(String path, JsonObject body) {
        HttpRequest.Builder request = request(path);
        if (body == null) {
            request.POST(BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body.toString()));
        }
        try (Progress _ = progress.show("Waiting for the server")) {
            return json(send(request.build()));
        }
    }

    /** As {@link #get} and {@link #post}, for a request that names a seat, has another content type, or takes longer. */
    public Reply call(Call call) {
        HttpRequest.Builder request = request(call.path()).timeout(call.patience());
        if (call.sender() != null) {
            request.header(SENDER, call.sender());
        }
        if (call.body() == null) {
            request.method(call.method(), BodyPublishers.noBody());
        } else {
            request.header("Content-Type", call.type()).method(call.method(), BodyPublishers.ofString(call.body()));
        }
        try (Progress _ = progress.show(call.waiting())) {
            HttpResponse<byte[]> answer = send(request.build());
            return new Reply(answer.statusCode(), json(answer));
        }
    }

    /**
     * Hands each event of the stream at {@code path} to {@code reader}, on this thread, until the server ends it.
     *
     * @throws ProblemException when the server refuses; @throws UnreachableException when none answers, or the stream
     *     breaks off
     */
    public void events(String path, Consumer<ServerEvent> reader) {
        HttpRequest request =
                request(path).header("Accept", "text/event-stream").GET().build();
        try {
            HttpResponse<Stream<String>> answer = http.send(request, BodyHandlers.ofLines());
            try (Stream<String> lines = answer.body()) {
                if (answer.statusCode() / 100 != 2) {
                    throw problem(answer, lines.collect(Collectors.joining("\n")));
                }
                ServerEvent.of(lines).forEachOrdered(reader);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UnreachableException(settings.url(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted while waiting for the server.", null);
        }
    }

    /** An answer with its status, where statuses differ in meaning. */
    public record Reply(int status, JsonObject body) {}

    /** Opens the attempt's stream under {@code generation}. */
    public CompletableFuture<WebSocket> openStream(String attemptId, long generation, WebSocket.Listener listener) {
        String base = settings.url().toString().replaceFirst("^http", "ws");
        WebSocket.Builder builder =
                http.newWebSocketBuilder().connectTimeout(HANDSHAKE).subprotocols(PROTOCOL);
        if (settings.token() != null) {
            builder.header("Authorization", "Bearer " + settings.token());
        }
        URI address = URI.create(base + attemptPath(attemptId, "/stream?generation=" + generation));
        return builder.buildAsync(address, listener);
    }

    /** The address that this client talks to. */
    public URI url() {
        return settings.url();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(settings.url() + path)).timeout(ANSWER);
        if (settings.token() != null) {
            request.header("Authorization", "Bearer " + settings.token());
        }
        return request;
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        HttpResponse<byte[]> answer;
        try {
            answer = http.send(request, BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UnreachableException(settings.url(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("Interrupted while waiting for the server.", null);
        }
        if (answer.statusCode() / 100 != 2) {
            throw problem(answer, new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer;
    }

    private static ProblemException problem(HttpResponse<?> answer, String body) {
        return new ProblemException(Problem.of(
                answer.statusCode(),
                body,
                answer.headers().firstValue("X-Request-Id").orElse(null),
                answer.request().uri().getRawPath()));
    }

    private JsonObject json(HttpResponse<byte[]> answer) {
        return Json.parse(new String(answer.body(), StandardCharsets.UTF_8))
                .orElseThrow(() -> Failure.failed(
                        "The answer of " + settings.url() + " is not Berth's.",
                        "Another program may listen there; see BERTH_URL and BERTH_PORT_OFFSET."));
    }
}
