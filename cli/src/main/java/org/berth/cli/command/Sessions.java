package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;

/** Sessions, their jobs and entries, read and shown. */
final class Sessions {
    static final String ROUTE = "/api/harness/sessions";

    /** What the server itself needs around the time that a call may block. */
    static final Duration MARGIN = Duration.ofMinutes(1);

    private static final int SUMMARY = 60;

    private Sessions() {}

    static String path(String session, String rest) {
        return ROUTE + "/" + ApiClient.escape(session) + rest;
    }

    static String jobPath(String session, String job) {
        return path(session, "/jobs/" + ApiClient.escape(job));
    }

    /** The directory as the server names it; a relative one is meant from here. */
    static String directory(Path given) {
        return given.toAbsolutePath().normalize().toString();
    }

    static void table(Tables tables, List<JsonObject> sessions) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject each : sessions) {
            rows.add(Attempts.row(
                    Json.text(each, "sessionId"),
                    Json.text(each, "state"),
                    Json.text(each, "workspace"),
                    Json.text(each, "entries"),
                    Json.text(each, "parent"),
                    Times.local(Json.text(each, "updatedAt")),
                    Json.text(each, "cwd")));
        }
        tables.print(List.of("SESSION", "STATE", "WORKSPACE", "ENTRIES", "PARENT", "UPDATED", "DIRECTORY"), rows);
    }

    static void jobTable(Tables tables, List<JsonObject> jobs) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject job : jobs) {
            rows.add(Attempts.row(
                    Json.text(job, "job"),
                    Json.text(job, "kind"),
                    Json.text(job, "state"),
                    end(job),
                    Times.local(Json.text(job, "startedAt")),
                    Times.local(Json.text(job, "endedAt")),
                    Json.text(job, "producedBytes"),
                    Json.text(job, "droppedBytes"),
                    summary(Json.text(job, "title"))));
        }
        tables.print(List.of("JOB", "KIND", "STATE", "EXIT", "STARTED", "ENDED", "BYTES", "DROPPED", "COMMAND"), rows);
    }

    private static String end(JsonObject job) {
        String signal = Json.text(job, "signal");
        return signal == null ? Json.text(job, "exitCode") : "signal " + signal;
    }

    /** The first line, cut; empty for null. */
    static String summary(String text) {
        String first = text == null ? "" : text.lines().findFirst().orElse("");
        return first.codePointCount(0, first.length()) <= SUMMARY
                ? first
                : first.substring(0, first.offsetByCodePoints(0, SUMMARY - 1)) + "…";
    }

    /** The body of navigate and fork. @throws Failure usage, unless exactly one of both is given */
    static JsonObject target(String entry, boolean root) {
        if ((entry != null) == root) {
            throw Failure.usage("Give an entry, or --root for the beginning.");
        }
        return root
                ? Json.object().addNull("entryId").build()
                : Json.object().add("entryId", entry).build();
    }

    /** The sentences on the jobs that a rewind stopped; none when it stopped none. */
    static List<String> stopped(JsonObject answer) {
        List<String> sentences = new ArrayList<>();
        List<String> stopped = Json.texts(answer, "stoppedJobs");
        if (!stopped.isEmpty()) {
            sentences.add("stopped, because they began after that entry: " + String.join(" ", stopped));
        }
        List<String> stopping = Json.texts(answer, "stoppingJobs");
        if (!stopping.isEmpty()) {
            sentences.add("still stopping: " + String.join(" ", stopping));
        }
        return sentences;
    }
}
