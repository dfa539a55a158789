package org.berth.harness.kernel;

import jakarta.json.JsonObject;

/**
 * The end of a request, as the kernel tells it.
 *
 * @param ok whether the request did what it should
 * @param reason empty when it is ok and nothing is to be said
 * @param frame the whole event, with the fields of its request's type
 */
public record Done(boolean ok, String reason, JsonObject frame) {
    static Done of(JsonObject frame) {
        return new Done(frame.getString("status", "error").equals("ok"), frame.getString("reason", ""), frame);
    }
}
