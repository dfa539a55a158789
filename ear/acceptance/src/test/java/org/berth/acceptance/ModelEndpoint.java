package org.berth.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * A model's service on loopback that gives every question its answer, whole or as a stream of events. Source: the
 * Messages interface, version 2023-06-01.
 */
final class ModelEndpoint implements AutoCloseable {
    private static final String MESSAGES = "/v1/messages";
    private static final String USAGE = "{\"input_tokens\":1,\"output_tokens\":1}";

    private final Function<Map<String, Object>, Block> answers;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Question> questions = new CopyOnWriteArrayList<>();

    /**
     * A question that came in.
     *
     * @param key its header x-api-key; null without one
     */
    record Question(String key, String body) {}

    /** What the model says next. */
    sealed interface Block {
        record Text(String text) implements Block {}

        record ToolUse(String id, String name, Map<String, Object> input) implements Block {}
    }

    /** Every question has the same answer. */
    ModelEndpoint(String answer) {
        this(question -> new Block.Text(answer));
    }

    /** @param answers what each question, as its JSON tree, is answered with */
    ModelEndpoint(Function<Map<String, Object>, Block> answers) {
        this.answers = answers;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    int port() {
        return server.getAddress().getPort();
    }

    List<Question> questions() {
        return List.copyOf(questions);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(200, -1);
            } else if (exchange.getRequestURI().getPath().equals(MESSAGES)) {
                questions.add(new Question(exchange.getRequestHeaders().getFirst("x-api-key"), body));
                boolean streamed = Boolean.TRUE.equals(Json.at(Json.object(body), "stream"));
                Block block = answers.apply(Json.object(body));
                send(
                        exchange,
                        streamed ? "text/event-stream" : "application/json",
                        streamed ? events(block) : message("[" + Json.write(whole(block)) + "]", reason(block)));
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private static void send(HttpExchange exchange, String mediaType, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", mediaType);
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String reason(Block block) {
        return block instanceof Block.ToolUse ? "\"tool_use\"" : "\"end_turn\"";
    }

    private static Map<String, Object> whole(Block block) {
        return switch (block) {
            case Block.Text text -> Map.of("type", "text", "text", text.text());
            case Block.ToolUse use ->
                Map.of("type", "tool_use", "id", use.id(), "name", use.name(), "input", use.input());
        };
    }

    private static Map<String, Object> begun(Block block) {
        return switch (block) {
            case Block.Text _ -> Map.of("type", "text", "text", "");
            case Block.ToolUse use -> Map.of("type", "tool_use", "id", use.id(), "name", use.name(), "input", Map.of());
        };
    }

    private static Map<String, Object> delta(Block block) {
        return switch (block) {
            case Block.Text text -> Map.of("type", "text_delta", "text", text.text());
            case Block.ToolUse use -> Map.of("type", "input_json_delta", "partial_json", Json.write(use.input()));
        };
    }

    private static String message(String content, String stopReason) {
        return """
                {"id":"msg_1","type":"message","role":"assistant","model":"loopback","content":%s,\
                "stop_reason":%s,"stop_sequence":null,"usage":%s}""".formatted(content, stopReason, USAGE);
    }

    private static String events(Block block) {
        return event("message_start", "\"message\":" + message("[]", "null"))
                + event("content_block_start", "\"index\":0,\"content_block\":" + Json.write(begun(block)))
                + event("content_block_delta", "\"index\":0,\"delta\":" + Json.write(delta(block)))
                + event("content_block_stop", "\"index\":0")
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":" + reason(block) + ",\"stop_sequence\":null},\"usage\":" + USAGE)
                + event("message_stop", null);
    }

    private static String event(String type, String members) {
        String tail = members == null ? "" : "," + members;
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + tail + "}\n\n";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
