package org.berth.placement.store;

import jakarta.ejb.ApplicationException;

/** The attempt was changed since the snapshot was read. The transaction is lost: read, decide and save again. */
@ApplicationException(rollback = true)
public final class AttemptChangedException extends RuntimeException {
    AttemptChangedException(String attemptId, Throwable cause) {
        super("attempt " + attemptId + " has changed since it was read", cause);
    }
}
