package org.berth.cli.api;

import jakarta.json.JsonObject;
import java.time.Duration;

/**
 * One request.
 *
 * @param type the body's content type; null without a body
 * @param sender the acting seat; null when the token alone names who acts
 * @param waiting what is shown while it takes longer than a second
 * @param patience how long an answer is waited for
 */
public record Call(
        String method, String path, String type, String body, String sender, String waiting, Duration patience) {
    private static final String WAITING = "Waiting for the server";

    /** @param body null for none */
    public static Call post(String path, JsonObject body) {
        return post(path, "application/json", body == null ? null : body.toString());
    }

    public static Call post(String path, String type, String body) {
        return new Call("POST", path, body == null ? null : type, body, null, WAITING, ApiClient.ANSWER);
    }

    public static Call delete(String path) {
        return new Call("DELETE", path, null, null, null, WAITING, ApiClient.ANSWER);
    }

    /** @param seat null for none */
    public Call as(String seat) {
        return new Call(method, path, type, body, seat, waiting, patience);
    }

    public Call waiting(String text) {
        return new Call(method, path, type, body, sender, text, patience);
    }

    public Call within(Duration most) {
        return new Call(method, path, type, body, sender, waiting, most);
    }
}
