package org.berth.harness.frame;

import jakarta.json.JsonObject;
import java.util.Objects;

/** A handler's typed rejection: its reply has fields beside the text, by which the kernel tells what it was. */
public final class HostRefusal extends Exception {
    private final transient JsonObject details;

    /** @param details further fields of the reply, neither {@code status} nor {@code error} */
    public HostRefusal(String sentence, JsonObject details) {
        super(Objects.requireNonNull(sentence));
        this.details = Objects.requireNonNull(details);
    }

    /** The further fields. */
    public JsonObject details() {
        return details;
    }
}
