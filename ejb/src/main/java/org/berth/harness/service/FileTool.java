package org.berth.harness.service;

import jakarta.json.JsonValue;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.harness.frame.HostRefusal;

/** A file request as a tool: in the session's directory, with the host's paths. */
record FileTool(HostFiles files, String cwd, String type, Map<String, Object> arguments)
        implements ToolCallService.Work {
    @Override
    public CompletionStage<?> start(CallRun call) throws ToolRefusal, IOException {
        Map<String, Object> request = new LinkedHashMap<>(arguments);
        request.putIfAbsent("cwd", cwd);
        try {
            JsonValue reply = files.handle(type, JsonTrees.object(request));
            call.output(CallRun.bytes(reply.toString()));
            return CompletableFuture.completedStage(JsonTrees.tree(reply));
        } catch (HostRefusal refusal) {
            throw new ToolRefusal(refusal.getMessage(), JsonTrees.tree(refusal.details()));
        }
    }
}
