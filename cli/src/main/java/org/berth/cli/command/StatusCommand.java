package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import org.berth.cli.server.ServerRecord;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description = {"Show what runs, where and since when.", "The exit code is 3 when no server answers."},
        footer = {"", "Examples:", "  berth status", "  berth status --json"})
final class StatusCommand extends BerthCommand {
    static final List<String> LIVE = List.of("intended", "starting", "running", "stopping", "uncertain");
    private static final int MOST = 1_000;

    StatusCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        ApiClient api = api();
        JsonObject health = api.get("/healthz");
        JsonObject who = api.get("/api/whoami");
        Optional<ServerRecord> record = ServerRecord.read(settings().home()).filter(ServerRecord::alive);
        JsonObjectBuilder server = Json.object().add("url", api.url().toString());
        Json.add(server, "version", Json.text(who, "version"));
        Json.add(server, "host_id", Json.text(who, "host_id"));
        record.ifPresent(each -> {
            server.add("pid", each.pid());
            Json.add(server, "since", each.startedAt());
        });
        JsonObjectBuilder status =
                Json.object().add("server", server).add("health", health).add("supervisors", supervisors(api));
        JsonObjectBuilder counts = Json.object();
        LIVE.forEach(each -> counts.add(each, Attempts.inState(api, each, MOST).size()));
        counts.add("exited", Attempts.inState(api, "exited", MOST).size());
        JsonObject answer = status.add("attempts", counts).build();
        return print(answer, () -> show(answer));
    }

    private void show(JsonObject answer) {
        JsonObject server = Json.object(answer, "server");
        String since = Json.text(server, "since");
        text().println(style().heading("Server") + "  " + Json.text(server, "url")
                + part(", version ", Json.text(server, "version"))
                + part(", process ", Json.text(server, "pid"))
                + part(", since ", since == null ? null : Times.local(since)));
        tables().describe(Json.object(answer, "health"));
        text().println();
        text().println(style().heading("Supervisors"));
        List<JsonObject> supervisors = Json.objects(answer, "supervisors");
        supervisors.forEach(each -> tables().describe(each));
        if (supervisors.isEmpty()) {
            text().println("none");
        }
        text().println();
        text().println(style().heading("Attempts") + " (counted up to " + MOST + " in each state)");
        tables().describe(Json.object(answer, "attempts"));
    }

    private static JsonValue supervisors(ApiClient api) {
        JsonValue list = api.get("/api/placement/capabilities").get("supervisors");
        return list == null ? JsonValue.EMPTY_JSON_ARRAY : list;
    }

    private static String part(String before, String value) {
        return value == null ? "" : before + value;
    }
}
