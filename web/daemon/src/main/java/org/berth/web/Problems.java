package org.berth.web;

import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The one shape of an error: RFC 9457 with {@code code} and {@code error}. */
public final class Problems {
    static final String MEDIA_TYPE = "application/problem+json";

    private Problems() {}

    /** The answer that tells a caller of {@code problem}. */
    public static Response answer(BerthException problem) {
        return answer(problem.code(), problem.getMessage());
    }

    static Response answer(ProblemCode code, String sentence) {
        return Response.status(code.status())
                .type(MEDIA_TYPE)
                .entity(new JsonTree(tree(code, sentence)))
                .build();
    }

    private static Map<String, Object> tree(ProblemCode code, String sentence) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", "urn:berth:problem:" + code.name().toLowerCase(Locale.ROOT));
        tree.put("title", title(code));
        tree.put("status", code.status());
        tree.put("detail", sentence);
        tree.put("code", code.name());
        tree.put("error", sentence);
        tree.put("retry", code.retry().name().toLowerCase(Locale.ROOT));
        return tree;
    }

    private static String title(ProblemCode code) {
        String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
