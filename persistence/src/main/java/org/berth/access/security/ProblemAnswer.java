package org.berth.access.security;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.berth.placement.CanonicalJson;
import org.berth.problem.ProblemCode;
import org.berth.problem.ProblemDocument;

/** Writes a problem where no resource is reached. */
final class ProblemAnswer {
    private ProblemAnswer() {}

    static void write(HttpServletResponse response, ProblemCode code, String sentence) {
        byte[] body = CanonicalJson.write(ProblemDocument.tree(code, sentence)).getBytes(StandardCharsets.UTF_8);
        response.setStatus(code.status());
        response.setContentType(ProblemDocument.MEDIA_TYPE);
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(body.length);
        try {
            response.getOutputStream().write(body);
            // Committed, so that the container does not put its own page in its place.
            response.flushBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
