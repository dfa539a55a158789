package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;

/** Work items and their transitions, read and shown. */
final class Queue {
    private static final int PAGE = 200;
    private static final int SUBJECT = 48;
    private static final int MOST_BYTES = 1 << 20;

    private Queue() {}

    static String path(String item, String rest) {
        return "/api/queue/" + ApiClient.escape(item) + rest;
    }

    /** The rig that the item's owner belongs to. */
    static String rigOf(ApiClient api, String item) {
        return SeatCommand.rigOf(Json.text(api.get(path(item, "")), "destinationSession"));
    }

    /** The text given, or that of a file; null without both. @throws Failure usage, with both */
    static String body(String text, Path file) {
        if (text != null && file != null) {
            throw Failure.usage("Give --body or --body-file, not both.");
        }
        if (file == null) {
            return text;
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw Failure.failed("The file " + file + " is over 1 MiB.", null);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw Failure.failed("The file " + file + " cannot be read as text.", null);
        }
    }

    static void table(Tables tables, List<JsonObject> items) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject item : items) {
            rows.add(Attempts.row(
                    Json.text(item, "qitemId"),
                    Json.text(item, "state"),
                    Json.text(item, "priority"),
                    Json.text(item, "sourceSession"),
                    Json.text(item, "destinationSession"),
                    Times.local(Json.text(item, "updatedAt")),
                    subject(Json.text(item, "body"))));
        }
        tables.print(List.of("ITEM", "STATE", "PRIORITY", "FROM", "TO", "UPDATED", "WORK"), rows);
    }

    /** The first line, cut. */
    private static String subject(String body) {
        String first = body == null ? "" : body.lines().findFirst().orElse("");
        return first.length() <= SUBJECT ? first : first.substring(0, SUBJECT - 1) + "…";
    }

    /** Every transition of the item, oldest first. */
    static List<JsonObject> transitions(ApiClient api, String item) {
        List<JsonObject> found = new ArrayList<>();
        OptionalLong after = OptionalLong.of(0);
        while (after.isPresent()) {
            JsonObject page = api.get(path(item, "/transitions?after=" + after.getAsLong() + "&limit=" + PAGE));
            found.addAll(Json.objects(page, "transitions"));
            after = Json.number(page, "next");
        }
        return found;
    }

    static void transitionsTable(Tables tables, List<JsonObject> transitions) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject each : transitions) {
            String reason = Json.text(each, "closureReason");
            String target = Json.text(each, "closureTarget");
            rows.add(Attempts.row(
                    Times.local(Json.text(each, "at")),
                    Json.text(each, "action"),
                    Json.text(each, "state"),
                    Json.text(each, "actorSession"),
                    Json.text(each, "identityProvenance"),
                    reason == null ? null : target == null ? reason : reason + " " + target,
                    Json.text(each, "transitionNote")));
        }
        tables.print(List.of("AT", "ACTION", "STATE", "BY", "KNOWN BY", "REASON", "NOTE"), rows);
    }
}
