package org.berth.harness.frame;

import jakarta.json.JsonValue;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The one reply that an accepted request is owed: the first settlement is written, any later one is refused. */
public final class PendingReply {
    private final String id;
    private final ReplyWriter replies;
    private final Runnable settled;
    private final AtomicBoolean taken = new AtomicBoolean();

    PendingReply(String id, ReplyWriter replies, Runnable settled) {
        this.id = id;
        this.replies = replies;
        this.settled = settled;
    }

    /** Replies with a result; false when the reply was already settled, and nothing is written. */
    public boolean ok(JsonValue result) {
        Objects.requireNonNull(result);
        return settle(() -> HostReply.ok(id, result));
    }

    /** Replies with an error; false when the reply was already settled, and nothing is written. */
    public boolean error(String error) {
        Objects.requireNonNull(error);
        return settle(() -> HostReply.error(id, error));
    }

    private boolean settle(Supplier<byte[]> line) {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        settled.run();
        replies.write(line.get());
        return true;
    }
}
