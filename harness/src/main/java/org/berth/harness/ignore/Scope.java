package org.berth.harness.ignore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.eclipse.jgit.ignore.FastIgnoreRule;
import org.eclipse.jgit.ignore.IgnoreNode;

/**
 * The ignore rules that hold in one directory: those of the nearest file first, the later line of a file before the
 * earlier. Source: gitignore(5), DESCRIPTION.
 */
final class Scope {
    /** Rules of a file beyond this size do not count. Source: own bound; git's is 100 MiB. */
    static final int MAX_RULE_BYTES = 1 << 20;

    /** No rules. */
    static final Scope NONE = new Scope(null, List.of(), "");

    private final Scope outer;
    private final List<Rule> rules;
    private final String base;

    /** {@code byName}: whether a name alone decides, in whatever directory; JGit says so of {@code /name} too. */
    private record Rule(FastIgnoreRule rule, boolean byName) {
        Rule(FastIgnoreRule rule) {
            this(rule, rule.getNameOnly() && rule.toString().indexOf('/') != (rule.getNegation() ? 1 : 0));
        }
    }

    private Scope(Scope outer, List<Rule> rules, String base) {
        this.outer = outer;
        this.rules = rules;
        this.base = base;
    }

    /** These rules, and over them those of a file's {@code content} that count from the directory {@code base}. */
    Scope with(byte[] content, String base) throws IOException {
        if (content.length == 0 || content.length > MAX_RULE_BYTES) {
            return this;
        }
        IgnoreNode node = new IgnoreNode();
        node.parse(new ByteArrayInputStream(content));
        List<Rule> rules = node.getRules().stream().map(Rule::new).toList();
        return rules.isEmpty() ? this : new Scope(this, rules, base);
    }

    /**
     * Whether the entry is ignored, its directory not being so.
     *
     * @param directory its directory's path from where all bases count, empty for that itself
     */
    boolean ignores(String directory, String name, boolean isDirectory) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            String path = null;
            for (int i = scope.rules.size() - 1; i >= 0; i--) {
                Rule own = scope.rules.get(i);
                FastIgnoreRule rule = own.rule();
                if (rule.dirOnly() && !isDirectory) {
                    continue;
                }
                String subject = name;
                if (!own.byName()) {
                    path = path == null ? join(directory, name).substring(scope.offset()) : path;
                    subject = path;
                }
                if (rule.isMatch(subject, isDirectory, true)) {
                    return rule.getResult();
                }
            }
        }
        return false;
    }

    private int offset() {
        return base.isEmpty() ? 0 : base.length() + 1;
    }

    static String join(String directory, String name) {
        return directory.isEmpty() ? name : directory + "/" + name;
    }
}
