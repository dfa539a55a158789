package org.berth.harness.job;

/** How a job ended. */
public sealed interface JobEnd {
    /** It ended by itself, with this exit code. */
    record Exited(int code) implements JobEnd {}

    /** The kill signal ended it. */
    record Killed() implements JobEnd {}

    /** It is over, and how is not known: nobody could observe its exit. @param reason a sentence */
    record Unknown(String reason) implements JobEnd {}
}
