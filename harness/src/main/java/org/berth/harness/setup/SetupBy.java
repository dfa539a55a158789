package org.berth.harness.setup;

/** Who wants the kernel's Python. */
public enum SetupBy {
    /** A session that starts a kernel; it never downloads. */
    SESSION,
    /** {@code berth kernel install}; nothing else downloads. */
    INSTALL
}
