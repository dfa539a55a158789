package org.berth.acceptance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.ModelEndpoint.Block;

/**
 * What a model says, in OpenAI's form: a stream of events, without whose last one the program asks again. Source: the
 * Responses interface, as the program Codex 0.171 reads it.
 */
final class ResponsesFormat {
    private static final Map<String, Object> USAGE = Map.of("input_tokens", 1, "output_tokens", 1, "total_tokens", 2);

    /** Between a namespace of tools and a tool in it, where one word names both. */
    static final String BETWEEN = "__";

    private ResponsesFormat() {}

    static String events(Block block) {
        List<Object> said = List.of(item(block));
        return event("response.created", Map.of("response", Map.of("id", "resp_1")))
                + event("response.output_item.done", Map.of("output_index", 0, "item", item(block)))
                + event(
                        "response.completed",
                        Map.of(
                                "response",
                                Map.of("id", "resp_1", "status", "completed", "output", said, "usage", USAGE)));
    }

    private static Map<String, Object> item(Block block) {
        return switch (block) {
            case Block.Text text ->
                Map.of(
                        "type",
                        "message",
                        "id",
                        "msg_1",
                        "role",
                        "assistant",
                        "content",
                        List.of(Map.of("type", "output_text", "text", text.text())));
            case Block.ToolUse use -> call(use);
        };
    }

    /** Codex groups the tools of a server in a namespace and knows none by the joined name. */
    private static Map<String, Object> call(Block.ToolUse use) {
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("type", "function_call");
        call.put("id", "fc_" + use.id());
        call.put("call_id", use.id());
        int end = use.name().lastIndexOf(BETWEEN);
        if (end > 0) {
            call.put("namespace", use.name().substring(0, end));
        }
        call.put("name", end > 0 ? use.name().substring(end + BETWEEN.length()) : use.name());
        call.put("arguments", Json.write(use.input()));
        return call;
    }

    private static String event(String type, Map<String, Object> members) {
        Map<String, Object> tree = new LinkedHashMap<>(members);
        tree.put("type", type);
        return "event: " + type + "\ndata: " + Json.write(tree) + "\n\n";
    }
}
