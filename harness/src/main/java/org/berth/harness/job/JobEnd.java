package org.berth.harness.job;

/** How a job ended. */
public sealed interface JobEnd {
    /** It ended by itself, with this exit code. */
    record Exited(int code) implements JobEnd {}

    /** The kill signal ended it. */
    record Killed() implements JobEnd {}
}
