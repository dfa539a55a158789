package org.berth.harness.store;

import jakarta.ejb.ApplicationException;
import jakarta.persistence.OptimisticLockException;

/** The session was changed since the snapshot was read. The transaction is lost: read, decide and save again. */
@ApplicationException(rollback = true)
public final class SessionChangedException extends RuntimeException {
    SessionChangedException(String sessionId, OptimisticLockException cause) {
        super("session " + sessionId + " has changed since it was read", cause);
    }
}
