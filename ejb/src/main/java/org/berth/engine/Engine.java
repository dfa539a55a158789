package org.berth.engine;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.json.JsonText;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Podman's REST interface as far as environments need it. Each call blocks for at most 30 s. For any thread. */
public final class Engine {
    /** What goes before every path: {@value}. Source: facts on Podman's REST interface. */
    public static final String PREFIX = "/v4.0.0/libpod/";

    /** What is there. */
    public static final int FOUND = 200;

    /** What is not there. */
    public static final int MISSING = 404;

    private static final int READ_MILLIS = 5_000;
    private static final int EFFECT_MILLIS = 30_000;
    private static final int FIRST_ERROR = 400;
    private static final int NOT_MODIFIED = 304;
    private static final int SERVER_ERROR = 500;
    private static final String JSON = "application/json";

    private final EngineHttp http;

    public Engine(EngineHttp http) {
        this.http = http;
    }

    /**
     * An answer.
     *
     * @param tree the body: a map, a list, or null where there is none or none that can be read
     */
    public record Answer(int status, Object tree) {
        public boolean done() {
            return status < FIRST_ERROR;
        }

        /** Why it was refused, in the engine's words. */
        public String cause() {
            return tree instanceof Map<?, ?> problem && problem.get("cause") instanceof String cause ? cause : "";
        }

        /** The same with what it happened to. */
        public String message() {
            return tree instanceof Map<?, ?> problem && problem.get("message") instanceof String message
                    ? message
                    : "status " + status;
        }

        /** Whether a name is used already. */
        public boolean nameUsed() {
            return status >= FIRST_ERROR
                    && (cause().contains("already in use")
                            || cause().contains("already exists")
                            || cause().contains("name in use"));
        }
    }

    /**
     * The engine's own version, as its ping tells it. What {@code version} answers is a description of the whole host, for
     * which Podman asks the package manager about its programs: a quarter of a second.
     *
     * @throws IOException when none came in time
     */
    public String version() throws IOException {
        EngineHttp.Reply reply = http.send("GET", PREFIX + "_ping", JSON, null, READ_MILLIS);
        String version = reply.fields().get("libpod-api-version");
        if (reply.status() != FOUND || version == null || version.isEmpty()) {
            throw new IOException("no version");
        }
        return version;
    }

    /** @throws IOException when no whole answer came in time */
    public Answer read(String path) throws IOException {
        return answer(http.send("GET", PREFIX + path, JSON, null, READ_MILLIS));
    }

    /** @throws IOException as {@link #read}; what was asked for may have happened */
    public Answer post(String path, Object body) throws IOException {
        return post(path, body, 0);
    }

    /** The same of what itself takes {@code moreMillis} at most, before the engine answers. */
    public Answer post(String path, Object body, int moreMillis) throws IOException {
        byte[] json = body == null ? null : bytes(body);
        return answer(http.send("POST", PREFIX + path, JSON, json, EFFECT_MILLIS + moreMillis));
    }

    /** The same with bytes as they are. */
    public Answer postRaw(String path, byte[] body) throws IOException {
        return answer(http.send("POST", PREFIX + path, "application/octet-stream", body, EFFECT_MILLIS));
    }

    /** @throws IOException as {@link #post} */
    public Answer delete(String path) throws IOException {
        return answer(http.send("DELETE", PREFIX + path, JSON, null, EFFECT_MILLIS));
    }

    /** The frames that a container logged, at most the newest {@code lines} lines of its standard output. */
    public byte[] logged(String container, int lines) throws IOException {
        EngineHttp.Reply reply = http.send(
                "GET",
                PREFIX + "containers/" + encoded(container) + "/logs?stdout=true&stderr=false&tail=" + lines,
                JSON,
                null,
                READ_MILLIS);
        if (reply.status() != FOUND) {
            throw new IOException("the engine gave no log, status " + reply.status());
        }
        return reply.body();
    }

    /** Runs {@code command} in a running container and joins its streams. */
    public ExecStream exec(String container, List<String> command) throws IOException {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("Cmd", command);
        order.put("AttachStdin", true);
        order.put("AttachStdout", true);
        order.put("AttachStderr", true);
        order.put("Tty", false);
        Answer made = post("containers/" + encoded(container) + "/exec", order);
        if (!made.done() || !(made.tree() instanceof Map<?, ?> row) || !(row.get("Id") instanceof String id)) {
            throw new IOException("the engine runs nothing in the container: " + made.message());
        }
        return new ExecStream(http.upgrade(
                PREFIX + "exec/" + encoded(id) + "/start", bytes(Map.of("Detach", false, "Tty", false)), READ_MILLIS));
    }

    /**
     * Rows of a listing that carry every one of {@code labels}; of several labels the engine's volumes need only one.
     *
     * @throws IOException unless it is complete
     */
    public List<Map<String, Object>> rows(String what, String parameters, Map<String, String> labels)
            throws IOException {
        List<String> wanted = labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .toList();
        Answer answer =
                read(what + "/json?" + parameters + "filters=" + encoded(JsonText.write(Map.of("label", wanted))));
        return rows(answer).stream()
                .filter(row -> row.get("Labels") instanceof Map<?, ?> carried
                        && carried.entrySet().containsAll(labels.entrySet()))
                .toList();
    }

    /** @throws IOException unless {@code answer} is a whole listing */
    @SuppressWarnings("unchecked")
    public static List<Map<String, Object>> rows(Answer answer) throws IOException {
        if (answer.status() == FOUND
                && answer.tree() instanceof List<?> list
                && list.stream().allMatch(Map.class::isInstance)) {
            return (List<Map<String, Object>>) list;
        }
        throw new IOException("the engine gave no complete listing: " + answer.message());
    }

    /** The processes of a container, the {@code columns} of each. @throws IOException unless {@code answer} lists them */
    public static List<List<String>> processes(Answer answer, int columns) throws IOException {
        if (answer.status() == FOUND
                && answer.tree() instanceof Map<?, ?> tree
                && tree.get("Processes") instanceof List<?> rows
                && rows.stream().allMatch(row -> row instanceof List<?> cells && cells.size() == columns)) {
            return rows.stream()
                    .map(row -> ((List<?>) row).stream().map(String::valueOf).toList())
                    .toList();
        }
        throw new IOException("the engine did not list the processes: " + answer.message());
    }

    /** For a part of a path or of a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static byte[] bytes(Object tree) {
        return JsonText.write(tree).getBytes(StandardCharsets.UTF_8);
    }

    private static Answer answer(EngineHttp.Reply reply) throws IOException {
        if (reply.body().length == 0 || reply.status() == NOT_MODIFIED) {
            return new Answer(reply.status(), null);
        }
        try {
            String wrapped = "{\"tree\":" + new String(reply.body(), StandardCharsets.UTF_8) + "}";
            return new Answer(reply.status(), StrictJson.object(wrapped).get("tree"));
        } catch (BerthException e) {
            if (reply.status() >= FIRST_ERROR && reply.status() <= SERVER_ERROR) {
                return new Answer(reply.status(), null);
            }
            throw new IOException("the engine's answer cannot be read", e);
        }
    }

    /** For a lost or unreadable answer outside of effects. */
    public static BerthException unconfirmed(IOException cause) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_UNCONFIRMED,
                "Podman gave no confirmed answer (" + cause.getMessage()
                        + "); repeat the same operation to reconcile it.",
                cause);
    }
}
