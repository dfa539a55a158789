package org.berth.harness.transport;

import jakarta.json.Json;
import jakarta.json.JsonObject;

/**
 * The typed rejection of a file request, before any handler sees it.
 *
 * @param reason {@code outside} for a path in no shared directory, {@code invalid} for one that is no path
 * @param message one sentence for people
 */
public record FsError(String reason, String message) {
    /** Which rules refused. Source: reference text 003, "Where the sandbox runs", 5. */
    public static final String VERSION = "transport@1";

    /** Reason of a path that no shared directory holds. */
    public static final String OUTSIDE = "outside";

    /** The fields of the one reply beside its text. */
    public JsonObject details() {
        return Json.createObjectBuilder()
                .add("kind", "FsError")
                .add("reason", reason)
                .add("version", VERSION)
                .build();
    }
}
