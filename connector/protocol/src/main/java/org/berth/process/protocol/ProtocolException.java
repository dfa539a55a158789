package org.berth.process.protocol;

/** The peer's bytes are no frame of this version; the connection ends. */
public final class ProtocolException extends RuntimeException {
    public ProtocolException(String message) {
        super(message);
    }

    public ProtocolException(String message, Throwable cause) {
        super(message, cause);
    }
}
