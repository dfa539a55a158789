package org.berth.cli.launch;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.output.Progress;
import org.berth.cli.stream.Ending;
import org.berth.cli.stream.OutputSink;
import org.berth.cli.stream.StreamClient;

/**
 * One launch from its admission to its cleanup: {@link #prepare}, {@link #start}, {@link #follow}, {@link #cleanup}.
 * The stream is attached before the start, so that no output is missed.
 */
public final class Run {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String UNCERTAIN = "UNCERTAIN";
    private static final Duration RECORDED = Duration.ofSeconds(5);

    private final ApiClient api;
    private final Launch launch;
    private final Patience patience;
    private StreamClient stream;
    private String grantRef;
    private JsonObject attempt;
    private List<String> notices = List.of();

    public Run(ApiClient api, Launch launch, Progress.Source progress) {
        this.api = api;
        this.launch = launch;
        patience = patience(progress);
    }

    /** How long an absent server is waited for while a command is being followed. */
    public static Patience patience(Progress.Source progress) {
        return new Patience(PATIENCE, progress);
    }

    /**
     * Admits the launch and attaches to it; nothing runs yet.
     *
     * @param directory the working directory, absolute; null for the attempt's home
     */
    public void prepare(Path directory, OutputSink sink) {
        String owner = Json.text(api.get("/api/whoami"), "owner_id");
        if (directory != null) {
            grantRef = grant(owner, directory);
        }
        JsonObject request = launch.request(owner, grantRef);
        JsonObject answer = admitted(request);
        attempt = launch.attempt(answer);
        notices = Json.texts(answer, "notices");
        stream = attach(api, launch.attemptId(), launch.window() != null, sink, patience);
        try {
            stream.connect();
        } catch (ProblemException | UnreachableException e) {
            // nothing runs, so nothing is missed: follow() connects after the start, and tells a lasting refusal
        }
    }

    private JsonObject admitted(JsonObject request) {
        try {
            return patience.outlast(() -> api.post(launch.route(), request));
        } catch (ProblemException e) {
            takeBackGrant();
            throw e;
        }
    }

    /** A stream under a new generation, not connected yet. Whoever followed before is fenced. */
    public static StreamClient attach(
            ApiClient api, String attemptId, boolean window, OutputSink sink, Patience patience) {
        JsonObject body = Json.object().add("recipient", "stream").build();
        JsonObject attached = patience.outlast(() -> api.post(ApiClient.attemptPath(attemptId, "/attach"), body));
        long generation = Json.number(attached, "generation")
                .orElseThrow(() -> Failure.failed("The server's answer to attach has no generation.", null));
        return new StreamClient(api, attemptId, generation, window, sink, patience);
    }

    /**
     * Starts the command. A refused start ends the attempt, so that it holds no session.
     *
     * @return false when it was never started, such as for an executable that cannot run
     */
    public boolean start() {
        try {
            attempt = patience.outlast(() -> api.post(ApiClient.attemptPath(launch.attemptId(), "/start"), null));
        } catch (ProblemException refused) {
            if (!UNCERTAIN.equals(refused.problem().code())) {
                giveUp();
            }
            throw refused;
        }
        return !"not_started".equals(Json.text(attempt, "exit_source"));
    }

    private void giveUp() {
        try {
            stop(true);
            cleanup();
        } catch (ProblemException | UnreachableException e) {
            // What refused the start is what the user is told; the attempt is listed and can be cleaned up by hand.
            return;
        }
    }

    /** See {@link StreamClient#follow()}. */
    public Ending follow() {
        return stream.follow();
    }

    public StreamClient stream() {
        return stream;
    }

    /** What the server advised at the admission. */
    public List<String> notices() {
        return notices;
    }

    /** The attempt as the server answered last. */
    public JsonObject attempt() {
        return attempt;
    }

    /** Asks for the command's end; forced is immediate. */
    public void stop(boolean forced) {
        JsonObject body =
                Json.object().add("mode", forced ? "forced" : "cooperative").build();
        patience.outlast(() -> api.post(ApiClient.attemptPath(launch.attemptId(), "/stop"), body));
    }

    /** Waits until the exit is recorded, then removes the attempt's home and takes the directory's grant back. */
    public void cleanup() {
        awaitExit();
        attempt = api.post(ApiClient.attemptPath(launch.attemptId(), "/cleanup"), null);
        takeBackGrant();
    }

    private void takeBackGrant() {
        if (grantRef != null) {
            api.post("/api/placement/grants/" + ApiClient.escape(grantRef) + "/revoke", null);
        }
    }

    /** The record of the exit follows the exit; waits for it a moment. */
    public void awaitExit() {
        long deadline = System.nanoTime() + RECORDED.toNanos();
        Duration pause = Duration.ofMillis(20);
        do {
            attempt = Json.object(
                    patience.outlast(() -> api.get(ApiClient.attemptPath(launch.attemptId(), ""))), "attempt");
            if ("exited".equals(Json.text(attempt, "execution_state"))) {
                return;
            }
            Patience.sleep(pause);
            pause = pause.multipliedBy(2);
        } while (System.nanoTime() - deadline < 0);
    }

    private String grant(String owner, Path directory) {
        JsonObject issued = api.post(
                "/api/placement/grants",
                Json.object()
                        .add("subject", owner)
                        .add("root", directory.toString())
                        .add("subpath", "")
                        .add("access", launch.access())
                        .add("purpose", "project")
                        .add("attempt_id", launch.attemptId())
                        .build());
        String ref = Json.text(issued, "grant_ref");
        return ref != null ? ref : Json.text(issued, "grant_id");
    }
}
