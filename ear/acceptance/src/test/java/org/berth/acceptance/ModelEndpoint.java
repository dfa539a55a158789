package org.berth.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * A model's service on loopback that gives every question its answer, whole or as a stream of events, as Anthropic's
 * Messages, OpenAI's Responses or the older Chat Completions, whichever is asked.
 */
final class ModelEndpoint implements AutoCloseable {
    private static final String MESSAGES = "/v1/messages";
    private static final String COMPLETIONS = "/v1/chat/completions";
    private static final int UPGRADE_REQUIRED = 426;
    private static final String EVENTS = "text/event-stream";
    private static final String RESPONSES = "/v1/responses";

    private final Function<Map<String, Object>, Block> answers;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Question> questions = new CopyOnWriteArrayList<>();

    /**
     * A question that came in.
     *
     * @param headers by name in lower case, the first value of each
     */
    record Question(String path, Map<String, String> headers, String body) {
        /** Its header x-api-key; null without one. */
        String key() {
            return headers.get("x-api-key");
        }

        /** What was said until now: the messages of either form, as JSON. */
        String said() {
            return said(Json.object(body));
        }

        static String said(Map<String, Object> question) {
            return Json.write(question.getOrDefault("messages", question.get("input")));
        }
    }

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

    /** The first offered tool whose name ends with {@code end}, as the program calls it; empty without one. */
    static Optional<String> tool(Map<String, Object> question, String end) {
        List<String> names = new ArrayList<>();
        Object tools = question.get("tools");
        if (tools != null) {
            for (Map<String, Object> tool : Json.objects(question, "tools")) {
                if ("namespace".equals(tool.get("type"))) {
                    String prefix = tool.get("name") + ResponsesFormat.BETWEEN;
                    Json.objects(tool, "tools").forEach(each -> names.add(prefix + each.get("name")));
                } else if (Json.at(tool, "function", "name") instanceof String name) {
                    names.add(name);
                } else if (tool.get("name") instanceof String name) {
                    names.add(name);
                }
            }
        }
        return names.stream().filter(name -> name.endsWith(end)).findFirst();
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
            String path = exchange.getRequestURI().getPath();
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(200, -1);
            } else if (!exchange.getRequestMethod().equals("POST")) {
                // Codex asks for a socket first, and takes this for "ask again by POST".
                exchange.sendResponseHeaders(path.equals(RESPONSES) ? UPGRADE_REQUIRED : 404, -1);
            } else {
                switch (path) {
                    case MESSAGES -> messages(exchange, body);
                    case RESPONSES -> send(exchange, EVENTS, ResponsesFormat.events(answer(exchange, body)));
                    case COMPLETIONS -> send(exchange, EVENTS, CompletionsFormat.events(answer(exchange, body)));
                    default -> exchange.sendResponseHeaders(404, -1);
                }
            }
        }
    }

    private void messages(HttpExchange exchange, String body) throws IOException {
        Block block = answer(exchange, body);
        boolean streamed = Boolean.TRUE.equals(Json.at(Json.object(body), "stream"));
        send(
                exchange,
                streamed ? EVENTS : "application/json",
                streamed ? MessagesFormat.events(block) : MessagesFormat.whole(block));
    }

    private Block answer(HttpExchange exchange, String body) {
        Map<String, String> headers = new TreeMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        questions.add(new Question(exchange.getRequestURI().getPath(), headers, body));
        return answers.apply(Json.object(body));
    }

    private static void send(HttpExchange exchange, String mediaType, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", mediaType);
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
