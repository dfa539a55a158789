package org.berth.placement;

/** The stream that a chunk came from; {@link #code()} is its byte on the wire. Source: api.md, Stream. */
public enum OutputStreamKind {
    STDOUT(1),
    STDERR(2),
    TTY(3);

    private final int code;

    OutputStreamKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** @throws IllegalArgumentException when no stream has this code */
    public static OutputStreamKind of(int code) {
        for (OutputStreamKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no stream has the code " + code);
    }
}
