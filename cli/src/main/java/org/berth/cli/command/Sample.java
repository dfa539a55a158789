package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.launch.LaunchSpec;
import org.berth.cli.launch.Policy;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Progress;
import org.berth.cli.stream.Ending;
import org.berth.cli.stream.OutputSink;
import org.berth.cli.stream.OutputStreamName;

/**
 * One small attempt that shows a fresh server at work.
 *
 * @param output what it wrote
 * @param attempt its record after cleanup
 * @param ending how it ended
 * @param evidence every recorded fact
 */
record Sample(String output, JsonObject attempt, Ending ending, List<JsonObject> evidence) {
    private static final List<String> COMMAND =
            List.of("sh", "-c", "echo \"Hello from Berth, process $$ in $PWD\"; uname -sr; date");

    static Sample run(ApiClient api, Progress.Source progress) {
        LaunchSpec spec = new LaunchSpec(
                "sample-" + LaunchSpec.random(6),
                COMMAND,
                Map.of(),
                Map.of(),
                false,
                null,
                "process_group",
                false,
                Policy.of(Policy.DEFAULT, api));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Run run = new Run(api, spec, progress);
        run.prepare(null, new OutputSink() {
            @Override
            public void output(OutputStreamName stream, long sequence, byte[] data) {
                output.writeBytes(data);
            }

            @Override
            public void readerGone() {
                throw new IllegalStateException("memory is always read");
            }
        });
        Ending ending = run.start() ? run.follow() : new Ending.Unknown();
        run.stream().close();
        run.cleanup();
        return new Sample(
                output.toString(StandardCharsets.UTF_8),
                run.attempt(),
                ending,
                Attempts.evidence(api, spec.attemptId()));
    }

    /** It ran and ended with 0. */
    boolean good() {
        return ending instanceof Ending.Exited exited && exited.code() == 0;
    }

    String attemptId() {
        return Json.text(attempt, "attempt_id");
    }
}
