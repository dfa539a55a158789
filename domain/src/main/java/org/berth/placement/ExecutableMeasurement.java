package org.berth.placement;

/**
 * What an executable file is.
 *
 * @param kind by its first bytes
 * @param digest sha256 of its content, 64 lower-case hex digits
 * @param size in bytes
 * @param interpreter the path on the {@code #!} line; null when {@code kind} is not SCRIPT
 * @param interpreterDigest sha256 of the interpreter's content; null likewise
 */
public record ExecutableMeasurement(
        ExecutableKind kind, String digest, long size, String interpreter, String interpreterDigest) {
    /** Source: placement.md, Launch request. */
    public static final String REVISION = "berth.executable-measurement@1";
}
