package org.berth.harness.store;

import jakarta.ejb.ApplicationException;
import org.berth.harness.session.CallStep;

/** The call has a record of this step already. The transaction is lost: read the record in a new one. */
@ApplicationException(rollback = true)
public final class CallRecordedException extends RuntimeException {
    private final CallStep step;

    CallRecordedException(CallStep step, Throwable cause) {
        super("the call has a record of its " + step + " already", cause);
        this.step = step;
    }

    public CallStep step() {
        return step;
    }
}
