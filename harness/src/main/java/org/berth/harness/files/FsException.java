package org.berth.harness.files;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.util.Locale;

/** The typed refusal of a file request ({@code FsError} on the wire). The message is one sentence for people. */
public final class FsException extends Exception {
    /** Which rules refused, for the wire. */
    public static final String VERSION = "files@1";

    private final Reason reason;

    /** Why a request is refused; on the wire in lower case. */
    public enum Reason {
        /** The path is in no shared directory. */
        OUTSIDE,
        /** Nothing is there. */
        MISSING,
        /** A directory, pipe, socket or device is there, or a file where a directory is needed. */
        NOT_A_FILE,
        /** The file is not UTF-8 text. */
        NOT_UTF8,
        /** The file, or the text to write, is larger than the limit. */
        TOO_LARGE,
        /** The old text of an edit is not in the file. */
        NO_MATCH,
        /** The old text of an edit is in the file more than once. */
        NOT_UNIQUE,
        /** This user may not read or write it. */
        DENIED,
        /** The request itself is wrong. */
        INVALID
    }

    FsException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    static FsException invalid(String message) {
        return new FsException(Reason.INVALID, message);
    }

    public Reason reason() {
        return reason;
    }

    /** The reason as it is on the wire. */
    public String wire() {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** The fields of the one reply beside its message. */
    public JsonObject details() {
        return Json.createObjectBuilder()
                .add("kind", "FsError")
                .add("reason", wire())
                .add("version", VERSION)
                .build();
    }
}
