package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Settings;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
import org.berth.cli.output.Progress;
import org.berth.cli.server.ProcessMark;
import org.berth.cli.server.ServerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "down",
        description = {
            "Stop the server of this machine.",
            "Attempts and contained environments go on under the supervisor. With --all every attempt, the compute of every"
                    + " owned environment and the supervisor end too."
        },
        footer = {"", "Examples:", "  berth down", "  berth down --all --yes"})
final class DownCommand extends BerthCommand {
    /** The supervisor's main class, as its command line names it. */
    private static final String SUPERVISOR = "org.berth.process.supervisor";

    private static final Duration SERVER_ENDS = Duration.ofSeconds(90);
    private static final Duration ATTEMPT_ENDS = Duration.ofSeconds(15);
    private static final Duration PAUSE = Duration.ofMillis(100);

    @Option(
            names = "--all",
            description = "End every attempt, every owned environment's compute and the supervisor too.")
    private boolean all;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    DownCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        Settings local = settings().local();
        Optional<ServerRecord> running = ServerRecord.read(local.home()).filter(ServerRecord::alive);
        if (running.isEmpty()) {
            if (all) {
                throw Failure.failed(
                        "The server does not run, and only it can end attempts and the supervisor.",
                        "Start it with `berth up --no-sample`, then `berth down --all`.");
            }
            return said(false, 0, 0, "No server runs for " + local.home() + ".");
        }
        int ended = 0;
        int stopped = 0;
        List<ProcessMark> supervisors = List.of();
        if (all) {
            ApiClient api = new ApiClient(local, progress());
            supervisors = supervisors(api);
            EnvironmentStops environments = new EnvironmentStops(api, this::note);
            List<JsonObject> owned = environments.running();
            confirm(live(api).size(), owned.size());
            stopped = stopEnvironments(environments, owned);
            ended = endAttempts(api);
        }
        end("server", running.get().process(), local);
        // After the server, which would start another one.
        supervisors.forEach(supervisor -> end("supervisor", supervisor, local));
        return said(
                true,
                ended,
                stopped,
                all
                        ? "The server, the supervisor, " + ended + " attempts and the compute of " + stopped
                                + " environments have ended."
                        : "The server has ended; attempts and environments go on under the supervisor.");
    }

    private void end(String what, ProcessMark process, Settings local) {
        process.terminate();
        try (Progress _ = progress().show("Waiting until the " + what + " has ended")) {
            if (!process.awaitEnd(SERVER_ENDS)) {
                throw Failure.failed(
                        "The " + what + " (process " + process.pid() + ") still runs after " + SERVER_ENDS.toSeconds()
                                + " s.",
                        "Its log is below " + local.home() + ".");
            }
        }
    }

    private static List<ProcessMark> supervisors(ApiClient api) {
        List<ProcessMark> found = new ArrayList<>();
        for (JsonObject each : Json.objects(api.get("/api/placement/capabilities"), "supervisors")) {
            Json.number(each, "pid")
                    .ifPresent(pid -> ProcessMark.of(pid, SUPERVISOR).ifPresent(found::add));
        }
        return found;
    }

    private int stopEnvironments(EnvironmentStops environments, List<JsonObject> owned) {
        try (Progress _ = progress().show("Stopping " + owned.size() + " environments")) {
            return (int) owned.stream().filter(environments::stop).count();
        }
    }

    private static List<JsonObject> live(ApiClient api) {
        List<JsonObject> live = new ArrayList<>();
        StatusCommand.LIVE.forEach(state -> live.addAll(Attempts.inState(api, state, Integer.MAX_VALUE)));
        return live;
    }

    private int endAttempts(ApiClient api) {
        List<JsonObject> live = live(api);
        try (Progress _ = progress().show("Ending " + live.size() + " attempts")) {
            List<String> ids =
                    live.stream().map(each -> Json.text(each, "attempt_id")).toList();
            ids.forEach(id -> stop(api, id));
            ids.forEach(id -> cleanup(api, id));
        }
        return live.size();
    }

    private void confirm(int count, int environments) {
        String what = count + " attempts, the compute of " + environments + " environments";
        if (yes) {
            return;
        }
        if (!surroundings.inTerminal()) {
            throw Failure.failed("This ends " + what + " and the supervisor.", "Confirm it with --yes.");
        }
        surroundings.err().print("End " + what + ", the supervisor and the server? [y/N] ");
        surroundings.err().flush();
        try {
            String answer =
                    new BufferedReader(new InputStreamReader(surroundings.in(), StandardCharsets.UTF_8)).readLine();
            if (answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
                return;
            }
        } catch (IOException e) {
            // no answer is a no
        }
        throw Failure.failed("Nothing was ended.", null);
    }

    private void stop(ApiClient api, String id) {
        try {
            api.post(
                    ApiClient.attemptPath(id, "/stop"),
                    Json.object().add("mode", "forced").build());
        } catch (ProblemException e) {
            note(id + ": " + e.getMessage());
        }
    }

    private void cleanup(ApiClient api, String id) {
        long deadline = System.nanoTime() + ATTEMPT_ENDS.toNanos();
        while (!Attempts.exited(Attempts.read(api, id))) {
            if (System.nanoTime() - deadline >= 0) {
                note(id + " has not ended; see `berth evidence " + id + "` after the next start");
                return;
            }
            Patience.sleep(PAUSE);
        }
        try {
            api.post(ApiClient.attemptPath(id, "/cleanup"), null);
        } catch (ProblemException e) {
            note(id + ": " + e.getMessage());
        }
    }

    private int said(boolean stopped, int attempts, int environments, String sentence) {
        JsonObject answer = Json.object()
                .add("stopped", stopped)
                .add("attempts_ended", attempts)
                .add("environments_stopped", environments)
                .build();
        print(answer, () -> text().println(sentence));
        return ExitCodes.DONE;
    }
}
