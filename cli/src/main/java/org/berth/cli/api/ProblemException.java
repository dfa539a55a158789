package org.berth.cli.api;

/** The server answered with a problem. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.error());
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
