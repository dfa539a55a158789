package org.berth.cli.session;

import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.OptionalLong;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.api.Json;

/**
 * What the server says of a job at one time. All numbers are bytes.
 *
 * @param job the job's id; null when the answer names none
 * @param ended whether the end is there; else the job goes on
 * @param exitCode what a shell would show for the end; without meaning before it
 * @param known whether the end says how it came
 * @param output what is kept of the output
 * @param dropped how much of the output is not kept
 * @param artifact the file that holds the whole output; null when there is none
 * @param json the answer as it came
 */
public record JobAnswer(
        String job,
        boolean ended,
        int exitCode,
        boolean known,
        byte[] output,
        long dropped,
        String artifact,
        JsonObject json) {
    /** A job is killed by KILL. Source: signal(7). */
    private static final int KILL = 9;

    /** Reads an answer of bash, wait, cancel or cells. */
    public static JobAnswer of(JsonObject json) {
        JsonObject detached = Json.object(json, "detached");
        boolean ended = detached.isEmpty();
        OptionalLong code = Json.number(json, "exitCode");
        OptionalLong signal = Json.number(json, "signal");
        boolean killed = "true".equals(Json.text(json, "killed"));
        int exitCode = ExitCodes.FAILED;
        if (code.isPresent()) {
            exitCode = (int) code.getAsLong();
        } else if (signal.isPresent()) {
            exitCode = ExitCodes.ofSignal((int) signal.getAsLong());
        } else if (killed) {
            exitCode = ExitCodes.ofSignal(KILL);
        }
        return new JobAnswer(
                Json.text(ended ? json : detached, "job"),
                ended,
                exitCode,
                code.isPresent() || signal.isPresent() || killed,
                bytes(json),
                Json.number(json, "droppedBytes").orElse(0),
                Json.text(json, "artifact"),
                json);
    }

    /** What the job wrote until now, kept or not. */
    public long produced() {
        return output.length + dropped;
    }

    private static byte[] bytes(JsonObject json) {
        String encoded = Json.text(json, "outputBase64");
        if (encoded == null) {
            String plain = Json.text(json, "output");
            return plain == null ? new byte[0] : plain.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            throw Failure.failed(
                    "The output in the server's answer is not base64.", "`berth status` shows its version.");
        }
    }
}
