package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;

/** Attempts and their evidence, read and shown. */
final class Attempts {
    private static final int PAGE = 200;
    /** Source: signal(7), the numbers of Linux on x86-64 and aarch64. */
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "HUP"),
            Map.entry(2, "INT"),
            Map.entry(3, "QUIT"),
            Map.entry(4, "ILL"),
            Map.entry(6, "ABRT"),
            Map.entry(7, "BUS"),
            Map.entry(8, "FPE"),
            Map.entry(9, "KILL"),
            Map.entry(11, "SEGV"),
            Map.entry(13, "PIPE"),
            Map.entry(14, "ALRM"),
            Map.entry(15, "TERM"),
            Map.entry(24, "XCPU"),
            Map.entry(25, "XFSZ"));

    private Attempts() {}

    /** The attempt of an answer that is one, or that holds one. */
    static JsonObject of(JsonObject answer) {
        JsonObject inside = Json.object(answer, "attempt");
        return inside.isEmpty() ? answer : inside;
    }

    static JsonObject read(ApiClient api, String attemptId) {
        return of(api.get(ApiClient.attemptPath(attemptId, "")));
    }

    /** Attempts in {@code state}, newest first, at most {@code most} of them and what is left of the last page. */
    static List<JsonObject> inState(ApiClient api, String state, int most) {
        List<JsonObject> found = new ArrayList<>();
        String after = "";
        while (after != null && found.size() < most) {
            JsonObject page = api.get("/api/placement/attempts?state=" + state + "&limit=" + PAGE
                    + (after.isEmpty() ? "" : "&after=" + ApiClient.escape(after)));
            found.addAll(Json.objects(page, "attempts"));
            after = Json.text(page, "next_after");
        }
        return found;
    }

    static boolean exited(JsonObject attempt) {
        return "exited".equals(Json.text(attempt, "execution_state"));
    }

    static boolean window(JsonObject attempt) {
        return "window".equals(Json.text(attempt, "launch_mode"));
    }

    /** {@code 7}, {@code signal 15 (TERM)}, {@code unknown}, {@code not started}; empty before the exit. */
    static String exit(JsonObject attempt) {
        if (!exited(attempt)) {
            return "";
        }
        JsonObject exit = Json.object(attempt, "exit");
        OptionalLong signal = Json.number(exit, "signal");
        if (signal.isPresent()) {
            String name = SIGNALS.get((int) signal.getAsLong());
            return "signal " + signal.getAsLong() + (name == null ? "" : " (" + name + ")");
        }
        OptionalLong code = Json.number(exit, "code");
        if (code.isPresent()) {
            return Long.toString(code.getAsLong());
        }
        return "not_started".equals(Json.text(attempt, "exit_source")) ? "not started" : "unknown";
    }

    static void table(Tables tables, List<JsonObject> attempts) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject attempt : attempts) {
            rows.add(row(
                    Json.text(attempt, "attempt_id"),
                    Json.text(attempt, "execution_state"),
                    Json.text(attempt, "cleanup_state"),
                    exit(attempt),
                    Json.text(attempt, "owner_id"),
                    Times.local(Json.text(attempt, "created_at"))));
        }
        tables.print(List.of("ATTEMPT", "STATE", "CLEANUP", "EXIT", "OWNER", "CREATED"), rows);
    }

    /** Every evidence row of the attempt, oldest first. */
    static List<JsonObject> evidence(ApiClient api, String attemptId) {
        List<JsonObject> rows = new ArrayList<>();
        OptionalLong after = OptionalLong.of(0);
        while (after.isPresent()) {
            JsonObject page = api.get(
                    ApiClient.attemptPath(attemptId, "/evidence?after=" + after.getAsLong() + "&limit=" + PAGE));
            rows.addAll(Json.objects(page, "evidence"));
            after = Json.number(page, "next_after");
        }
        return rows;
    }

    static JsonObject evidenceJson(String attemptId, List<JsonObject> rows) {
        JsonArrayBuilder list = Json.array();
        rows.forEach(list::add);
        return Json.object().add("attempt_id", attemptId).add("evidence", list).build();
    }

    static void evidenceTable(Tables tables, List<JsonObject> evidence) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject each : evidence) {
            JsonObject detail = Json.object(each, "detail");
            List<String> parts = new ArrayList<>();
            detail.forEach((name, value) -> parts.add(name + "=" + Json.plain(value)));
            rows.add(row(
                    Json.text(each, "sequence"),
                    Times.local(Json.text(each, "at")),
                    Json.text(each, "kind"),
                    String.join(" ", parts)));
        }
        tables.print(List.of("SEQ", "AT", "KIND", "DETAIL"), rows);
    }

    /** A row in which an absent value is empty. */
    static List<String> row(String... cells) {
        List<String> row = new ArrayList<>();
        for (String cell : cells) {
            row.add(cell == null ? "" : cell);
        }
        return row;
    }
}
