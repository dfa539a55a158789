package org.berth.acceptance;

import java.util.Map;
import org.berth.acceptance.ModelEndpoint.Block;

/** What a model says, in Anthropic's form. Source: the Messages interface, version 2023-06-01. */
final class MessagesFormat {
    private static final String USAGE = "{\"input_tokens\":1,\"output_tokens\":1}";

    private MessagesFormat() {}

    /** The answer in one piece. */
    static String whole(Block block) {
        return message("[" + Json.write(content(block)) + "]", reason(block));
    }

    /** The answer as a stream of events. */
    static String events(Block block) {
        return event("message_start", "\"message\":" + message("[]", "null"))
                + event("content_block_start", "\"index\":0,\"content_block\":" + Json.write(begun(block)))
                + event("content_block_delta", "\"index\":0,\"delta\":" + Json.write(delta(block)))
                + event("content_block_stop", "\"index\":0")
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":" + reason(block) + ",\"stop_sequence\":null},\"usage\":" + USAGE)
                + event("message_stop", null);
    }

    private static String reason(Block block) {
        return block instanceof Block.ToolUse ? "\"tool_use\"" : "\"end_turn\"";
    }

    private static Map<String, Object> content(Block block) {
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

    private static String event(String type, String members) {
        String tail = members == null ? "" : "," + members;
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + tail + "}\n\n";
    }
}
