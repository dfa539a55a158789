package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.Base64;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;

/**
 * A part of a log. All numbers are bytes.
 *
 * @param data the bytes as the command wrote them
 * @param from where {@code data} begins in what the command produced
 * @param produced what the command produced so far
 * @param kept how much of it the log has
 * @param dropped how much of it the log let go
 */
record LogPage(byte[] data, long from, long produced, long kept, long dropped) {
    /** The log from its beginning, or its last {@code tail} lines when that is not null. */
    static LogPage first(ApiClient api, String attemptId, String stream, Integer tail) {
        return read(api, attemptId, stream, tail == null ? "" : "&tail=" + tail, 0);
    }

    /** What comes after {@code from}; waits up to {@code wait} seconds for some. */
    static LogPage after(ApiClient api, String attemptId, String stream, long from, int wait) {
        return read(api, attemptId, stream, "&from=" + from + "&wait=" + wait, from);
    }

    /** Where the next part begins. */
    long next() {
        return from + data.length;
    }

    /** The data as base64, since it need not be text. */
    JsonObject json(String stream) {
        return Json.object()
                .add("stream", stream)
                .add("from", from)
                .add("produced", produced)
                .add("kept", kept)
                .add("dropped", dropped)
                .add("data", Base64.getEncoder().encodeToString(data))
                .build();
    }

    private static LogPage read(ApiClient api, String attemptId, String stream, String query, long asked) {
        HttpResponse<byte[]> answer = api.getBytes(ApiClient.attemptPath(attemptId, "/logs?stream=" + stream + query));
        HttpHeaders headers = answer.headers();
        long length = answer.body().length;
        long produced = headers.firstValueAsLong("X-Berth-Log-Produced").orElse(asked + length);
        // a first part without an own beginning is the end of what was produced
        long from = headers.firstValueAsLong("X-Berth-Log-From").orElse(asked > 0 ? asked : produced - length);
        return new LogPage(
                answer.body(),
                from,
                produced,
                headers.firstValueAsLong("X-Berth-Log-Kept").orElse(length),
                headers.firstValueAsLong("X-Berth-Log-Dropped").orElse(0));
    }
}
