package org.berth.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.activity.WorkScope;
import org.berth.json.JsonText;
import org.berth.placement.service.Failures;
import org.berth.problem.BerthException;

/**
 * One tool; the JSON schema of its arguments is the resource {@code NAME.json}.
 *
 * @param call answers a JSON tree; its refusals become tool errors with their code
 */
record RigTool(
        String name, String description, Effect effect, BiFunction<WorkScope, Arguments, Map<String, Object>> call) {
    private static final Logger LOG = Logger.getLogger(RigTool.class.getName());

    /** What a call may change, as clients are told. */
    enum Effect {
        READ_ONLY(true, false),
        ADDITIVE(false, false),
        DESTRUCTIVE(false, true);

        private final boolean readOnly;
        private final boolean destructive;

        Effect(boolean readOnly, boolean destructive) {
            this.readOnly = readOnly;
            this.destructive = destructive;
        }
    }

    McpStatelessServerFeatures.SyncToolSpecification specification(McpJsonMapper mapper) {
        McpSchema.Tool tool = McpSchema.Tool.builder(name, mapper, schema())
                .description(description)
                .annotations(McpSchema.ToolAnnotations.builder()
                        .readOnlyHint(effect.readOnly)
                        .destructiveHint(effect.destructive)
                        .openWorldHint(false)
                        .build())
                .build();
        return McpStatelessServerFeatures.SyncToolSpecification.builder()
                .tool(tool)
                .callHandler((context, request) ->
                        answer((WorkScope) context.get(McpListener.SCOPE), new Arguments(request.arguments())))
                .build();
    }

    private McpSchema.CallToolResult answer(WorkScope scope, Arguments arguments) {
        try {
            return result(call.apply(scope, arguments), false);
        } catch (RuntimeException e) {
            BerthException problem = Failures.unwrap(e);
            if (problem.status() >= 500) {
                LOG.log(Level.WARNING, "the tool " + name + " failed", e);
            }
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("code", problem.code().wire());
            told.put("error", problem.getMessage());
            return result(told, true);
        }
    }

    private static McpSchema.CallToolResult result(Map<String, Object> tree, boolean error) {
        return McpSchema.CallToolResult.builder()
                .addTextContent(JsonText.write(tree))
                .structuredContent(tree)
                .isError(error)
                .build();
    }

    private String schema() {
        try (InputStream file = RigTool.class.getResourceAsStream(name + ".json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
