package org.berth.harness.files;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern of paths: {@code *} and {@code ?} stay within a name, {@code **} as a whole name stands for any directories,
 * {@code [a-z]} and {@code [!a]} for a character, {@code {a,b}} for one of them, a backslash takes the next as it is.
 */
record Glob(Pattern pattern) {
    /** Translates {@code glob}. @throws FsException INVALID when it is not one */
    static Glob of(String glob) throws FsException {
        StringBuilder regex = new StringBuilder();
        int braces = 0;
        for (int at = 0; at < glob.length(); at++) {
            char c = glob.charAt(at);
            switch (c) {
                case '*' -> at = star(glob, at, regex);
                case '?' -> regex.append("[^/]");
                case '[' -> at = set(glob, at, regex);
                case '{' -> {
                    regex.append("(?:");
                    braces++;
                }
                case '}' -> {
                    regex.append(braces > 0 ? ")" : "\\}");
                    braces = Math.max(0, braces - 1);
                }
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                case '\\' -> {
                    at++;
                    regex.append(Pattern.quote(at < glob.length() ? glob.substring(at, at + 1) : "\\"));
                }
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        try {
            return new Glob(Pattern.compile(regex.toString(), Pattern.DOTALL));
        } catch (PatternSyntaxException e) {
            throw FsException.invalid("the glob " + glob + " is not one: " + e.getDescription());
        }
    }

    private static int star(String glob, int at, StringBuilder regex) {
        boolean whole = glob.startsWith("**", at) && (at == 0 || glob.charAt(at - 1) == '/');
        if (whole && glob.startsWith("/", at + 2)) {
            regex.append("(?:[^/]+/)*+");
            return at + 2;
        }
        if (whole && at + 2 == glob.length()) {
            regex.append(".*");
            return at + 1;
        }
        regex.append("[^/]*");
        return at;
    }

    private static int set(String glob, int at, StringBuilder regex) throws FsException {
        int first = at + 1;
        boolean not = first < glob.length() && (glob.charAt(first) == '!' || glob.charAt(first) == '^');
        if (not) {
            first++;
        }
        int end = glob.indexOf(']', first + 1);
        if (end < 0) {
            throw FsException.invalid("the glob " + glob + " has a [ without its ]");
        }
        String inner = glob.substring(first, end)
                .replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace("&&", "&\\&")
                .replace("^", "\\^");
        regex.append("(?!/)[").append(not ? "^" : "").append(inner).append(']');
        return end;
    }

    /** Whether {@code path} matches as a whole. */
    boolean matches(String path, Deadline deadline) {
        return pattern.matcher(deadline.guarding(path)).matches();
    }

    /** Whether {@code path} matches, or, for a pattern without a slash, its last name does. */
    boolean filters(String path, boolean byName, Deadline deadline) {
        return matches(byName ? path.substring(path.lastIndexOf('/') + 1) : path, deadline);
    }
}
