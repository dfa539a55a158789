package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "update",
        description = {
            "Change an item's state, or note something on it.",
            "done needs a reason: no-follow-on, handed_off_to, blocked_on, denied, canceled or escalation."
        },
        footer = {
            "",
            "Examples:",
            "  berth queue update report-1 --as team-worker@openshell-example --state done --reason no-follow-on",
            "  berth queue update report-1 --note looked-at",
            "  berth queue update report-1 --reopen --note again"
        })
final class QueueUpdateCommand extends QueueChangeCommand {
    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "pending, in-progress, blocked, done, failed, denied or canceled.")
    private String state;

    @Option(
            names = {"--reason", "--closure-reason"},
            paramLabel = "REASON",
            description = "Why it ends.")
    private String reason;

    @Option(
            names = {"--target", "--closure-target"},
            paramLabel = "SEAT|ITEM",
            description = "Whom or what the reason points to.")
    private String target;

    @Option(names = "--reopen", description = "Open an ended item again.")
    private boolean reopen;

    QueueUpdateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    String action() {
        return "update";
    }

    @Override
    JsonObject change() {
        JsonObjectBuilder body = Json.object();
        Json.add(body, "state", state);
        Json.add(body, "closureReason", reason);
        Json.add(body, "closureTarget", target);
        if (reopen) {
            body.add("reopen", true);
        }
        return withNote(body);
    }
}
