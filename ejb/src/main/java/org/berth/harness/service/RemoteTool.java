package org.berth.harness.service;

import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.harness.kernel.CellListener;
import org.berth.harness.kernel.OutputStream;
import org.berth.harness.kernel.RemoteOutcome;
import org.berth.placement.Wire;

/** A function that the session's kernel offers, as the tool {@code remote/<name>}. */
record RemoteTool(SessionKernels.Held kernel, String name, Map<String, Object> arguments, long budgetMillis)
        implements ToolCallService.Work {
    @Override
    public CompletionStage<?> start(CallRun call) {
        return kernel.remote()
                .call(
                        kernel.kernel()::client,
                        name,
                        JsonTrees.object(arguments),
                        Duration.ofMillis(budgetMillis),
                        printing(call))
                .thenCompose(outcome -> switch (outcome) {
                    case RemoteOutcome.Returned returned -> {
                        call.output(CallRun.bytes(returned.result().toString()));
                        yield CompletableFuture.completedStage(JsonTrees.tree(returned.result()));
                    }
                    case RemoteOutcome.Failed failed -> CompletableFuture.failedStage(refusal(failed));
                });
    }

    private static ToolRefusal refusal(RemoteOutcome.Failed failed) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("kind", "RemoteCallError");
        details.put("reason", Wire.name(failed.error()));
        return new ToolRefusal(failed.message(), details);
    }

    /** What the function prints is the call's output; a call has no result event and shows nothing. */
    private static CellListener printing(CallRun call) {
        return new CellListener() {
            @Override
            public void output(OutputStream stream, String text) {
                call.output(text.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public void result(String text) {
                call.output(CallRun.bytes(text));
            }

            @Override
            public void display(JsonObject data) {
                call.output(CallRun.bytes(data.toString()));
            }

            @Override
            public void error(String errorName, String text, List<String> traceback) {
                call.warn(errorName + ": " + text);
            }
        };
    }
}
