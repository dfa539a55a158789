package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "ls",
        description = "List environments by binding.",
        footer = {
            "",
            "Examples:",
            "  berth environment ls",
            "  berth environment ls --rig openshell-example --driver local"
        })
final class EnvironmentLsCommand extends BerthCommand {
    @Option(names = "--rig", paramLabel = "RIG", description = "Only this rig's.")
    private String rig;

    @Option(names = "--seat", paramLabel = "SEAT", description = "Only this seat's.")
    private String seat;

    @Option(names = "--driver", paramLabel = "DRIVER", description = "Only local, podman or openshell ones.")
    private String driver;

    @Option(names = "--phase", paramLabel = "PHASE", description = "Only those recorded in this phase, such as Ready.")
    private String phase;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on where the page before ended.")
    private String after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit;

    EnvironmentLsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject page = api().get("/api/environments?limit=" + limit + ApiClient.query("rig", rig)
                + ApiClient.query("seat", seat) + ApiClient.query("driver", driver) + ApiClient.query("phase", phase)
                + ApiClient.query("after", after));
        return print(page, () -> {
            Environments.table(tables(), Json.objects(page, "environments"));
            String next = Json.text(page, "nextAfter");
            if (next != null) {
                note("there are more; go on with --after " + next);
            }
        });
    }
}
