package org.berth.access.security;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.berth.placement.CanonicalJson;
import org.berth.problem.ProblemCode;

/** Answers a problem before any web framework runs. Source: RFC 9457 and api.md, Errors. */
final class ProblemAnswer {
    private ProblemAnswer() {}

    static void write(HttpServletResponse response, ProblemCode code, String sentence) {
        byte[] body = CanonicalJson.write(Map.of(
                        "type",
                        "about:blank",
                        "title",
                        title(code),
                        "status",
                        code.status(),
                        "detail",
                        sentence,
                        "code",
                        code.name(),
                        "error",
                        sentence))
                .getBytes(StandardCharsets.UTF_8);
        response.setStatus(code.status());
        response.setContentType("application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(body.length);
        try {
            response.getOutputStream().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String title(ProblemCode code) {
        return code == ProblemCode.UNAUTHENTICATED ? "Unauthorized" : "Service Unavailable";
    }
}
