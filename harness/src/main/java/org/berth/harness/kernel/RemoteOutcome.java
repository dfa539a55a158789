package org.berth.harness.kernel;

import jakarta.json.JsonValue;

/** How a remote call ended. */
public sealed interface RemoteOutcome {
    /** The function returned. */
    record Returned(JsonValue result) implements RemoteOutcome {}

    /** @param message one sentence, for the caller */
    record Failed(Error error, String message) implements RemoteOutcome {}

    /** Why a call has no result. Source: harness.md, "Kernel and transport". */
    enum Error {
        /** No kernel runs; nothing was sent. */
        NOT_RUNNING,
        /** The kernel ended before it replied; whether the function ran is not known. */
        UNREACHABLE,
        /** The kernel has no such function. */
        UNKNOWN,
        /** The deadline passed; the function may still run. */
        TIMEOUT,
        /** The function raised, or its result is no strict JSON. */
        FAILED
    }
}
