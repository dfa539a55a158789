package org.berth.harness.setup;

/** What is where the kernel's virtual environment belongs. */
public enum VenvFound {
    NONE,
    /** Made for other sources of the runtime or another lock file, or never finished. */
    OTHER_BUILD,
    /** Made for this build, and checked as a whole. */
    CHECKED
}
