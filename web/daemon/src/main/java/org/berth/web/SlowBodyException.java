package org.berth.web;

import java.io.IOException;

/** A request's body did not come in time. */
final class SlowBodyException extends IOException {
    private static final long serialVersionUID = 1;

    SlowBodyException() {
        super("the body did not come in time");
    }
}
