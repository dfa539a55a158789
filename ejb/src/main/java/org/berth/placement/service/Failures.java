package org.berth.placement.service;

import jakarta.ejb.EJBException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Finds the one error that a caller is told inside what containers and futures wrap around it. */
public final class Failures {
    private Failures() {}

    /** The BerthException inside {@code failure}, or INTERNAL around it. */
    public static BerthException unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null
                && (cause instanceof CompletionException
                        || cause instanceof ExecutionException
                        || cause instanceof EJBException)) {
            cause = cause.getCause();
        }
        return cause instanceof BerthException known
                ? known
                : new BerthException(
                        ProblemCode.INTERNAL, "the server failed inside; its log has the request id", failure);
    }
}
