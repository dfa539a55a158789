package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;

/** Checkpoints, shown. */
final class Checkpoints {
    private static final long UNIT = 1024;

    private Checkpoints() {}

    /** The route of one. @throws Failure usage, unless {@code checkpointId} is an identifier */
    static String path(String checkpointId) {
        return "/api/checkpoints/" + ApiClient.escape(Environments.identifier("CHECKPOINT", checkpointId));
    }

    static void table(Tables tables, List<JsonObject> checkpoints) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject each : checkpoints) {
            rows.add(Attempts.row(
                    Json.text(each, "checkpointId"),
                    Json.text(each, "bindingId"),
                    Json.text(each, "state"),
                    age(Json.number(each, "ageSeconds").orElse(0)),
                    size(each, "diskBytes"),
                    Json.plain(each.get("diskFiles")),
                    Json.text(each, "nativeId"),
                    Json.text(each, "code")));
        }
        tables.print(List.of("CHECKPOINT", "BINDING", "STATE", "AGE", "DISK", "FILES", "CONVERSATION", "CODE"), rows);
    }

    /** What a capture answered. */
    static void receipt(PrintStream text, JsonObject receipt) {
        text.println("Checkpoint " + Tables.safe(Json.text(receipt, "checkpointId")) + " keeps the conversation "
                + Tables.safe(Json.text(receipt, "nativeId")) + " of " + Tables.safe(Json.text(receipt, "seat")) + ".");
        for (JsonObject file : Json.objects(receipt, "files")) {
            text.println("  history    " + size(file, "bytes") + "  " + Tables.safe(Json.text(file, "source")));
        }
        text.println("  artifacts  " + Json.objects(receipt, "artifacts").size() + ", by reference");
        text.println("  context    " + Json.objects(receipt, "context").size() + " files, by reference");
    }

    static void show(PrintStream text, Tables tables, JsonObject shown) {
        JsonObject receipt = Json.object(shown, "checkpoint");
        if (receipt.isEmpty()) {
            text.println("Checkpoint " + Tables.safe(Json.text(shown, "checkpointId")) + ": "
                    + Tables.safe(Json.text(shown, "state")));
        } else {
            receipt(text, receipt);
        }
        if (Json.text(shown, "detail") != null) {
            text.println("  " + Tables.safe(Json.text(shown, "code") + ": " + Json.text(shown, "detail")));
        }
        text.println("  state      " + Tables.safe(Json.text(shown, "state")) + ", taken "
                + Times.local(Json.text(shown, "createdAt")));
        text.println("  disk       " + size(shown, "diskBytes"));
        Json.texts(shown, "uses").forEach(use -> text.println("  needed by  " + Tables.safe(use)));
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject execution : Json.objects(shown, "executions")) {
            String id = String.valueOf(Json.number(execution, "executionId").orElse(0));
            for (JsonObject step : Json.objects(execution, "steps")) {
                rows.add(Attempts.row(
                        id, Json.text(step, "step"), Json.text(step, "status"), Json.text(step, "exitStatus")));
            }
        }
        if (!rows.isEmpty()) {
            text.println();
            tables.print(List.of("EXECUTION", "STEP", "STATUS", "RESULT"), rows);
        }
    }

    /** Bytes for people; empty when the member is missing. */
    static String size(JsonObject object, String member) {
        OptionalLong bytes = Json.number(object, member);
        return bytes.isPresent() ? size(bytes.getAsLong()) : "";
    }

    private static String size(long bytes) {
        return bytes < UNIT
                ? bytes + " B"
                : String.format(Locale.ROOT, bytes < UNIT * UNIT ? "%.1f KiB" : "%.1f MiB", scaled(bytes));
    }

    private static double scaled(long bytes) {
        return bytes < UNIT * UNIT ? (double) bytes / UNIT : (double) bytes / (UNIT * UNIT);
    }

    private static String age(long seconds) {
        Duration age = Duration.ofSeconds(seconds);
        if (age.toDays() > 0) {
            return age.toDays() + " d";
        }
        if (age.toHours() > 0) {
            return age.toHours() + " h";
        }
        return age.toMinutes() > 0 ? age.toMinutes() + " min" : seconds + " s";
    }
}
