package org.berth.placement.store;

import jakarta.ejb.ApplicationException;

/**
 * An attempt with the same unique value is stored. The transaction is lost: read again in a new one. Says nothing about
 * the other attempt, which may be another owner's.
 */
@ApplicationException(rollback = true)
public final class AttemptExistsException extends RuntimeException {
    /** The value that is taken. */
    public enum Taken {
        ATTEMPT_ID,
        IDEMPOTENCY_KEY,
        ATTEMPT_KEY
    }

    private final Taken taken;

    AttemptExistsException(Taken taken, Throwable cause) {
        super("an attempt with this " + taken + " exists", cause);
        this.taken = taken;
    }

    public Taken taken() {
        return taken;
    }
}
