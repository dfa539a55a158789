package org.berth.problem;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The one shape in which a problem leaves the server: RFC 9457 with {@code code}, {@code error} and {@code retry}. */
public final class ProblemDocument {
    public static final String MEDIA_TYPE = "application/problem+json";

    private ProblemDocument() {}

    /** The document of {@code problem} as a JSON tree. */
    public static Map<String, Object> tree(BerthException problem) {
        Map<String, Object> tree = tree(problem.code(), problem.getMessage());
        tree.put("status", problem.status());
        return tree;
    }

    /** The document as a JSON tree. */
    public static Map<String, Object> tree(ProblemCode code, String sentence) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("type", "urn:berth:problem:" + code.name().toLowerCase(Locale.ROOT));
        tree.put("title", title(code));
        tree.put("status", code.status());
        tree.put("detail", sentence);
        tree.put("code", code.wire());
        tree.put("error", sentence);
        tree.put("retry", code.retry().name().toLowerCase(Locale.ROOT));
        return tree;
    }

    private static String title(ProblemCode code) {
        String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
