package org.berth.placement;

/**
 * How a child ended. Never both a code and a signal, and never 128+n for a signal. Source: placement.md, Identity and
 * signals.
 */
public sealed interface Exit {
    /** {@code code} is 0..255. */
    record Exited(int code) implements Exit {
        public Exited {
            if (code < 0 || code > 255) {
                throw new IllegalArgumentException("an exit code is 0..255: " + code);
            }
        }
    }

    /** {@code signal} is the number of the signal that ended the child, 1..64. */
    record Signalled(int signal) implements Exit {
        public Signalled {
            if (signal < 1 || signal > 64) {
                throw new IllegalArgumentException("a signal is 1..64: " + signal);
            }
        }
    }

    /** The end is proven, its status is not. {@code reason} is a fixed phrase of ours. */
    record Unknown(String reason) implements Exit {}
}
