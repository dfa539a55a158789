package org.berth.problem;

import java.util.Objects;

/**
 * The one unchecked exception that carries a {@link ProblemCode} to the edge. Its message is a sentence for the
 * caller: it never holds a secret, a native error text or a class name.
 */
public final class BerthException extends RuntimeException {
    private final ProblemCode code;
    private final int status;

    public BerthException(ProblemCode code, String sentence) {
        this(code, sentence, null);
    }

    /** Keeps {@code cause} for the server log; it never reaches a caller. */
    public BerthException(ProblemCode code, String sentence, Throwable cause) {
        super(Objects.requireNonNull(sentence), cause);
        this.code = Objects.requireNonNull(code);
        this.status = code.status();
    }

    /** Answers with {@code status} where the reference gives one code two of them. */
    public BerthException(ProblemCode code, int status, String sentence) {
        super(Objects.requireNonNull(sentence));
        this.code = Objects.requireNonNull(code);
        this.status = status;
    }

    /** The HTTP status: the code's own, but for codes that the reference answers with two. */
    public int status() {
        return status;
    }

    public ProblemCode code() {
        return code;
    }

    /** Bad input: {@code sentence} names the field and the rule. */
    public static BerthException invalid(String sentence) {
        return new BerthException(ProblemCode.INVALID, sentence);
    }

    public static BerthException conflict(String sentence) {
        return new BerthException(ProblemCode.CONFLICT, sentence);
    }

    public static BerthException notFound(String sentence) {
        return new BerthException(ProblemCode.NOT_FOUND, sentence);
    }

    /** Known not to have happened; the caller may send it again. */
    public static BerthException unavailable(String sentence) {
        return new BerthException(ProblemCode.UNAVAILABLE, sentence);
    }
}
