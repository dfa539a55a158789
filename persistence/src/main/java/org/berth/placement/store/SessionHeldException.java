package org.berth.placement.store;

import jakarta.ejb.ApplicationException;

/** Another attempt holds the retained home. The transaction is lost. */
@ApplicationException(rollback = true)
public final class SessionHeldException extends RuntimeException {
    SessionHeldException(Throwable cause) {
        super("another attempt holds this session home", cause);
    }
}
