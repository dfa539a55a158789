package org.berth.preparer.git;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;

/**
 * What {@code options.worktree} asks for.
 *
 * @param branch null for the attempt's own
 * @param base where a new branch starts; null for the commit that is checked out
 */
record WorktreeOption(String branch, String base) {
    static final String NAME = "worktree";

    private static final int MAX_CHARS = 200;
    private static final Pattern BRANCH = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_./+@#=-]*");

    /** What git refuses in a branch's name of those characters. Source: git-check-ref-format(1). */
    private static final Pattern NO_BRANCH =
            Pattern.compile("\\.\\.|//|/\\.|@\\{|\\.lock(/|$)|[./]$|^refs/|^HEAD$|^@$");

    private static final Pattern BASE = Pattern.compile("[^\\s\\p{Cntrl}-][^\\s\\p{Cntrl}]*");

    /** @return null when {@code value} asks for nothing @throws BerthException INVALID */
    static WorktreeOption of(Object value) {
        if (value == null || Boolean.FALSE.equals(value)) {
            return null;
        }
        if (Boolean.TRUE.equals(value)) {
            return new WorktreeOption(null, null);
        }
        if (!(value instanceof Map<?, ?> map) || !Set.of("branch", "base").containsAll(map.keySet())) {
            throw BerthException.invalid("options.worktree must be true or an object of branch and base");
        }
        String branch = text(map.get("branch"), "branch", BRANCH);
        if (branch != null && NO_BRANCH.matcher(branch).find()) {
            throw BerthException.invalid("options.worktree.branch is no name that git takes for a branch");
        }
        return new WorktreeOption(branch, text(map.get("base"), "base", BASE));
    }

    private static String text(Object value, String name, Pattern form) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text)
                || text.length() > MAX_CHARS
                || !form.matcher(text).matches()) {
            throw BerthException.invalid(
                    "options.worktree." + name + " must be a git name of 1 to " + MAX_CHARS + " characters");
        }
        return text;
    }
}
