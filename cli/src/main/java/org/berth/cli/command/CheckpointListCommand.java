package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        description = "List checkpoints, newest first, with their age and what they take of the disk.",
        footer = {
            "",
            "Examples:",
            "  berth environment checkpoint list",
            "  berth environment checkpoint list worker-one --json"
        })
final class CheckpointListCommand extends BerthCommand {
    @Parameters(paramLabel = "BINDING", arity = "0..1", description = "Only this binding's.")
    private String bindingId;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on where the page before ended.")
    private String after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit;

    CheckpointListCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        String route = bindingId == null ? "/api/checkpoints" : Environments.path(bindingId, "/checkpoints");
        JsonObject page = api().get(route + "?limit=" + limit + ApiClient.query("after", after));
        return print(page, () -> {
            Checkpoints.table(tables(), Json.objects(page, "checkpoints"));
            String next = Json.text(page, "nextAfter");
            if (next != null) {
                note("there are more; go on with --after " + next);
            }
        });
    }
}
