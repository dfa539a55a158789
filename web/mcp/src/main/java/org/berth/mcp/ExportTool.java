package org.berth.mcp;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.activity.WorkScope;
import org.berth.environment.ArtifactExports;
import org.berth.environment.ArtifactRequest;
import org.berth.problem.BerthException;
import org.berth.work.WorkNotes;
import org.berth.work.WorkSelection;

/** Brings a bound worker's artifact home, for the seat that owns the work. Source: environments.md, Export. */
@ApplicationScoped
public class ExportTool {
    private static final int MAX_TEXT = 160;
    private static final int MAX_PATH = 4096;
    private static final long MAX_BYTES = 1 << 20;

    @Inject
    private Instance<ArtifactExports> exports;

    @Inject
    private WorkNotes work;

    /** Whether this server has environments to export from. */
    boolean offered() {
        return exports.isResolvable();
    }

    /** The receipt. @throws BerthException FORBIDDEN when the item is not the seat's own work, or the export's refusal */
    Map<String, Object> export(WorkScope scope, Arguments arguments) {
        ArtifactRequest request = new ArtifactRequest(
                arguments.text("operationId", MAX_TEXT),
                arguments.text("taskId", MAX_TEXT),
                arguments.text("generation", MAX_TEXT),
                arguments.text("path", MAX_PATH),
                arguments.text("sha256", MAX_TEXT),
                arguments.whole("bytes", 1, MAX_BYTES),
                schema(new Arguments(Scope.members(arguments.object("schema")))),
                context(arguments.object("context")));
        WorkSelection item = work.find(request.taskId()).filter(scope::owns).orElseThrow(Scope::outside);
        if (!scope.reaches(item.sourceSession())) {
            throw Scope.outside();
        }
        return exports.get().export(arguments.text("bindingId", MAX_TEXT), request, scope.actor());
    }

    private static ArtifactRequest.Schema schema(Arguments schema) {
        Map<String, String> fields = new LinkedHashMap<>();
        schema.object("fields").forEach((name, type) -> fields.put(String.valueOf(name), String.valueOf(type)));
        return new ArtifactRequest.Schema(
                schema.text("format", MAX_TEXT),
                fields,
                Arguments.strings("schema.required", schema.members().get("required")));
    }

    private static Map<String, Object> context(Map<?, ?> given) {
        given.forEach((name, value) -> {
            if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
                throw BerthException.invalid("context." + name + " must be a string, a number or a boolean");
            }
        });
        return Scope.members(given);
    }
}
