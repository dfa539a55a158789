package org.berth.web;

import jakarta.ws.rs.core.Response;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.problem.ProblemDocument;

/** Answers that tell a caller of a problem. */
public final class Problems {
    private Problems() {}

    static Response answer(BerthException problem) {
        return Response.status(problem.status())
                .type(ProblemDocument.MEDIA_TYPE)
                .entity(new JsonTree(ProblemDocument.tree(problem)))
                .build();
    }

    static Response answer(ProblemCode code, String sentence) {
        return Response.status(code.status())
                .type(ProblemDocument.MEDIA_TYPE)
                .entity(new JsonTree(ProblemDocument.tree(code, sentence)))
                .build();
    }
}
