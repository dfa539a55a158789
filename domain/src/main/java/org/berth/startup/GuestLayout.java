package org.berth.startup;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.TreeSet;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Where a seat's inputs lie in its guest, by paths relative to the guest root. Source: the reference's startup. */
public final class GuestLayout {
    /** The native's working directory: {@value}. */
    public static final String WORK = "work";

    /** The native's private home: {@value}. */
    public static final String NATIVE = "native";

    /** The generated list of what to read first: {@value}. */
    public static final String INDEX = "work/CLAUDE.md";

    /** Where exports come from: {@value}. */
    public static final String ARTIFACTS = "work/artifacts";

    private static final String CONTEXT = "work/.openrig/context/";
    private static final String STARTUP = "work/.openrig/startup/";
    private static final String SKILLS = "work/.claude/skills/";
    private static final String PLUGINS = "work/.claude/plugins/";
    private static final String MANIFEST = "/.claude-plugin/plugin.json";
    private static final String PLAIN = "-_.!~*'()";

    private GuestLayout() {}

    /** The destination of {@code input}. @throws BerthException environment_projection_unsupported */
    public static String destination(StartupInput input) {
        return switch (input.category()) {
            case GUIDANCE -> CONTEXT + key(input.id());
            case SKILL -> SKILLS + key(input.id());
            case PLUGIN -> PLUGINS + key(input.id());
            case SUBAGENT, RUNTIME_RESOURCE ->
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_PROJECTION_UNSUPPORTED,
                        "A contained seat cannot use " + input.id() + ": "
                                + input.category()
                                        .name()
                                        .toLowerCase(java.util.Locale.ROOT)
                                        .replace('_', ' ')
                                + " inputs have no place in a guest. Take it out of the profile.");
        };
    }

    public static String destination(StartupFile file) {
        return STARTUP + key(file.path());
    }

    /** Whether {@code path} is one that the index names. */
    public static boolean isIndexed(String path) {
        return path.startsWith(CONTEXT) || path.startsWith(STARTUP);
    }

    /** The directory of the plugin whose manifest {@code path} is; null when it is none. */
    public static String pluginOf(String path) {
        return path.startsWith(PLUGINS) && path.endsWith(MANIFEST)
                ? path.substring(0, path.length() - MANIFEST.length())
                : null;
    }

    /** The text of {@link #INDEX}: what this place is, and one line for each indexed path, in order. */
    public static String index(String guestRoot, Collection<String> paths) {
        StringBuilder text =
                new StringBuilder("You work inside a contained environment. Your team's identity and its work"
                        + " queue are reached through the MCP server `openrig`; commands, paths and addresses of the host do not"
                        + " exist here.\n");
        for (String path : new TreeSet<>(paths)) {
            if (isIndexed(path)) {
                text.append("Read ").append(guestRoot).append('/').append(path).append(".\n");
            }
        }
        return text.toString();
    }

    /** One path component that stands for {@code id}: all but letters, digits and {@code -_.!~*'()} as %XX of UTF-8. */
    static String key(String id) {
        StringBuilder key = new StringBuilder();
        for (byte each : id.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0);
            if (plain) {
                key.append(c);
            } else {
                key.append('%').append(String.format("%02X", (int) c));
            }
        }
        String made = key.toString();
        // A component of dots only would name this directory or the one above.
        return made.equals(".") || made.equals("..") ? made.replace(".", "%2E") : made;
    }
}
