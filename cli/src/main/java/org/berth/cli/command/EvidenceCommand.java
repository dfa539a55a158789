package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.List;
import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "evidence",
        description = "Show every recorded fact about an attempt.",
        footer = {"", "Examples:", "  berth evidence run-build"})
final class EvidenceCommand extends BerthCommand {
    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    EvidenceCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        List<JsonObject> rows = Attempts.evidence(api(), attemptId);
        return print(Attempts.evidenceJson(attemptId, rows), () -> Attempts.evidenceTable(tables(), rows));
    }
}
