package org.berth.placement;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;

/** The forms that a request's texts must have. Source: placement.md, Launch request. */
final class RequestText {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,159}");
    private static final Pattern REF = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@/-]{0,159}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]*");

    private RequestText() {}

    static String identifier(String path, String text) {
        return form(
                IDENTIFIER, path, text, "must be 1 to 160 letters, digits or . _ : @ -, the first a letter or a digit");
    }

    static String ref(String path, String text) {
        return form(REF, path, text, "must be 1 to 160 letters, digits or . _ : @ - /, the first a letter or a digit");
    }

    static String digest(String path, String text) {
        return form(DIGEST, path, text, "must be 64 lower-case hex digits");
    }

    static String variable(String path, String text) {
        form(VARIABLE, path, text, "must be a variable's name: A to Z, 0 to 9 and _, not beginning with a digit");
        if (text.equals("HOME") || text.equals("PATH") || text.startsWith("BERTH_")) {
            throw BerthException.invalid(path + " is a variable that the host sets itself (HOME, PATH, BERTH_…)");
        }
        return text;
    }

    static String withoutNul(String path, String text) {
        if (text.indexOf('\0') >= 0) {
            throw BerthException.invalid(path + " must not contain NUL");
        }
        return text;
    }

    static String atMost(int bytes, String path, String text) {
        if (bytes(text) > bytes) {
            throw BerthException.invalid(path + " must be at most " + bytes + " bytes of UTF-8");
        }
        return text;
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String form(Pattern pattern, String path, String text, String rule) {
        if (!pattern.matcher(text).matches()) {
            throw BerthException.invalid(path + " " + rule);
        }
        return text;
    }
}
