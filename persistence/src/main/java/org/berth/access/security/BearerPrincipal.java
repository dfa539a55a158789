package org.berth.access.security;

import jakarta.security.enterprise.CallerPrincipal;
import org.berth.access.Caller;

/** The principal of a proven bearer token; long-lived connections find their caller in it. */
public final class BearerPrincipal extends CallerPrincipal {
    private static final long serialVersionUID = 1L;

    private final transient Caller caller;

    BearerPrincipal(Caller caller) {
        super(caller.ownerId());
        this.caller = caller;
    }

    public Caller caller() {
        return caller;
    }
}
