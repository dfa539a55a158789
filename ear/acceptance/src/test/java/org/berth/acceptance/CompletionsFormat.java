package org.berth.acceptance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.ModelEndpoint.Block;

/** What a model says in OpenAI's older form, which others speak too. Source: the Chat Completions interface. */
final class CompletionsFormat {
    private CompletionsFormat() {}

    /** The answer as a stream of events. */
    static String events(Block block) {
        return switch (block) {
            case Block.Text text -> chunk(Map.of("role", "assistant", "content", text.text()), null) + end("stop");
            case Block.ToolUse use ->
                chunk(Map.of("role", "assistant", "tool_calls", List.of(call(use))), null) + end("tool_calls");
        };
    }

    private static String end(String reason) {
        return chunk(Map.of(), reason) + "data: [DONE]\n\n";
    }

    private static Map<String, Object> call(Block.ToolUse use) {
        return Map.of(
                "index",
                0,
                "id",
                use.id(),
                "type",
                "function",
                "function",
                Map.of("name", use.name(), "arguments", Json.write(use.input())));
    }

    private static String chunk(Map<String, Object> delta, String reason) {
        Map<String, Object> choice = new LinkedHashMap<>();
        choice.put("index", 0);
        choice.put("delta", delta);
        choice.put("finish_reason", reason);
        Map<String, Object> chunk = new LinkedHashMap<>();
        chunk.put("id", "chunk_1");
        chunk.put("object", "chat.completion.chunk");
        chunk.put("created", 1);
        chunk.put("model", "loopback");
        chunk.put("choices", List.of(choice));
        return "data: " + Json.write(chunk) + "\n\n";
    }
}
