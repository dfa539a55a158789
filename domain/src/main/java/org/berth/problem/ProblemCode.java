package org.berth.problem;

/**
 * Every stable error code that leaves Berth, with its HTTP status and its retry advice.
 *
 * <p>Source: the placement reference's codes; 405, 406, 408, 413, 415 and 431 are those of RFC 9110.
 */
public enum ProblemCode {
    INVALID(400, Retry.NEVER),
    UNAUTHENTICATED(401, Retry.NEVER),
    FORBIDDEN(403, Retry.NEVER),
    DENIED(403, Retry.NEVER),
    NOT_FOUND(404, Retry.NEVER),
    METHOD_NOT_ALLOWED(405, Retry.NEVER),
    NOT_ACCEPTABLE(406, Retry.NEVER),
    REQUEST_TIMEOUT(408, Retry.SAFE),
    CONFLICT(409, Retry.QUERY_FIRST),
    UNCERTAIN(409, Retry.QUERY_FIRST),
    TOO_LARGE(413, Retry.NEVER),
    UNSUPPORTED_MEDIA_TYPE(415, Retry.NEVER),
    UNSUPPORTED_CAPABILITY(422, Retry.NEVER),
    UNAVAILABLE(503, Retry.SAFE),
    STORAGE(500, Retry.QUERY_FIRST),
    INTERNAL(500, Retry.QUERY_FIRST);

    /** What a caller may do with the same request after this error. */
    public enum Retry {
        /** The same request fails again. */
        NEVER,
        /** Nothing happened; the same request may be sent again. */
        SAFE,
        /** Something may have happened; read the state before deciding. */
        QUERY_FIRST
    }

    private final int status;
    private final Retry retry;

    ProblemCode(int status, Retry retry) {
        this.status = status;
        this.retry = retry;
    }

    /** The HTTP status that this code answers with. */
    public int status() {
        return status;
    }

    /** What a caller may do next. */
    public Retry retry() {
        return retry;
    }
}
