package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;

@Command(
        name = "drivers",
        description = "List the agent programs that this host knows how to run, and where they are.",
        footer = {"", "Examples:", "  berth agent drivers", "  berth agent drivers --json"})
final class AgentDriversCommand extends BerthCommand {
    AgentDriversCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().get("/api/placement/drivers");
        return print(answer, () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject driver : Json.objects(answer, "drivers")) {
                String found = Json.text(driver, "found");
                rows.add(List.of(
                        Json.text(driver, "name"),
                        found == null ? Json.text(driver, "executable") + " is not on the host's path" : found,
                        profiles(driver),
                        login(driver)));
            }
            tables().print(List.of("DRIVER", "PROGRAM", "PROFILES", "LOGIN FILE"), rows);
        });
    }

    private static String profiles(JsonObject driver) {
        return Json.objects(driver, "profiles").stream()
                .map(each -> Json.text(each, "name"))
                .collect(Collectors.joining(", "));
    }

    private static String login(JsonObject driver) {
        String file = Json.text(driver, "login_file");
        return file == null ? "" : file;
    }
}
