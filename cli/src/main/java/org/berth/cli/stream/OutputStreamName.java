package org.berth.cli.stream;

import java.util.Locale;

/** The streams of a child, with their numbers on the wire. Source: api.md, Stream. */
public enum OutputStreamName {
    STDOUT(1),
    STDERR(2),
    TTY(3);

    private final int number;

    OutputStreamName(int number) {
        this.number = number;
    }

    /** {@code stdout}, {@code stderr} or {@code tty}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static OutputStreamName of(int number) {
        for (OutputStreamName each : values()) {
            if (each.number == number) {
                return each;
            }
        }
        throw new IllegalArgumentException("no stream has the number " + number);
    }
}
