package org.berth.harness.kernel;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.berth.harness.frame.Frame;
import org.berth.harness.frame.ProtocolFault;

/** Brings each event to the request that waits for it. */
final class KernelEvents {
    private final OpenRequests open;
    private final KernelListener listener;

    KernelEvents(OpenRequests open, KernelListener listener) {
        this.open = open;
        this.listener = listener;
    }

    /** The whole frame as JSON. */
    static JsonObject parse(Frame frame) throws ProtocolFault {
        try (JsonReader reader =
                Json.createReaderFactory(Map.of()).createReader(frame.open(), StandardCharsets.UTF_8)) {
            return reader.readObject();
        } catch (JsonException e) {
            throw new ProtocolFault(ProtocolFault.Reason.NOT_A_FRAME);
        }
    }

    void accept(String event, JsonObject frame) {
        Optional<String> id = text(frame, "id");
        switch (event) {
            case "stdout" -> output(OutputStream.STDOUT, id, frame);
            case "stderr" -> output(OutputStream.STDERR, id, frame);
            case "result" -> cell(event, id, cell -> cell.result(frame.getString("text", "")));
            case "display" -> cell(event, id, cell -> cell.display(object(frame, "data")));
            case "error" -> error(id, frame);
            case "done" ->
                id.flatMap(open::remove)
                        .ifPresentOrElse(
                                ended -> ended.request().done().complete(Done.of(frame)),
                                () -> listener.diagnostic("the kernel ended a request that is not open"));
            default -> listener.diagnostic("the kernel sent an event of an unknown kind");
        }
    }

    private void output(OutputStream stream, Optional<String> id, JsonObject frame) {
        String text = frame.getString("text", "");
        cellOf(id).ifPresentOrElse(cell -> cell.output(stream, text), () -> listener.output(stream, text));
    }

    private void error(Optional<String> id, JsonObject frame) {
        String name = frame.getString("ename", "");
        String text = frame.getString("evalue", "");
        if (id.isEmpty()) {
            listener.diagnostic("the kernel refused a request: " + name + ": " + text);
            return;
        }
        List<String> traceback = frame.get("traceback") instanceof JsonArray lines
                ? lines.stream()
                        .filter(JsonString.class::isInstance)
                        .map(line -> ((JsonString) line).getString())
                        .toList()
                : List.of();
        cellOf(id).ifPresent(cell -> cell.error(name, text, traceback));
    }

    private void cell(String event, Optional<String> id, Consumer<CellListener> use) {
        cellOf(id)
                .ifPresentOrElse(
                        use, () -> listener.diagnostic("the kernel sent a " + event + " event that no open cell owns"));
    }

    private Optional<CellListener> cellOf(Optional<String> id) {
        return id.flatMap(open::find).flatMap(OpenRequests.Open::cell);
    }

    private static Optional<String> text(JsonObject frame, String field) {
        return frame.get(field) instanceof JsonString string ? Optional.of(string.getString()) : Optional.empty();
    }

    private static JsonObject object(JsonObject frame, String field) {
        return frame.get(field) instanceof JsonObject object ? object : JsonValue.EMPTY_JSON_OBJECT;
    }
}
