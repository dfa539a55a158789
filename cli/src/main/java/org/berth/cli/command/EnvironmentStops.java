package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.api.ProblemException;

/** Stops the compute of every environment that this host owns. */
final class EnvironmentStops {
    private static final Set<String> ENDED = Set.of("not created", "Stopped", "Deleted");
    private static final int PAGE = 1000;

    private final ApiClient api;
    private final Consumer<String> notes;

    /** @param notes gets a sentence for each environment that is not stopped */
    EnvironmentStops(ApiClient api, Consumer<String> notes) {
        this.api = api;
        this.notes = notes;
    }

    /** The owned bindings whose environment is not known to have ended. */
    List<JsonObject> running() {
        List<JsonObject> found = new ArrayList<>();
        String after = null;
        do {
            JsonObject page = api.get("/api/environments?limit=" + PAGE + ApiClient.query("after", after));
            Json.objects(page, "environments").stream()
                    .filter(each ->
                            "owned".equals(Json.text(each, "ownership")) && !ENDED.contains(Environments.phase(each)))
                    .forEach(found::add);
            after = Json.text(page, "nextAfter");
        } while (after != null);
        return found;
    }

    /** @return whether the end of the environment's compute is observed */
    boolean stop(JsonObject binding) {
        String bindingId = Json.text(binding, "bindingId");
        JsonObjectBuilder body =
                Json.object().add("operationId", "down-" + UUID.randomUUID()).add("effect", "stop-compute");
        Json.add(body, "generation", Json.text(binding, "generation"));
        try {
            JsonObject answer = api.call(Call.post(Environments.path(bindingId, "/effect"), body.build())
                            .as("operator@" + Environments.rigOf(binding)))
                    .body();
            if ("confirmed".equals(Json.text(answer, "state"))) {
                return true;
            }
            notes.accept(bindingId + ": " + Json.text(answer, "detail"));
        } catch (ProblemException e) {
            notes.accept(bindingId + ": " + e.getMessage());
        }
        return false;
    }
}
