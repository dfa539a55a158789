package org.berth.cli.api;

import java.net.URI;

/** No answer came from the server. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnreachableException(URI url, Throwable cause) {
        super("No server answers at " + url + ".", cause);
    }
}
