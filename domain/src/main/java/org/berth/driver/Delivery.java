package org.berth.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * What a driver rendered for one launch: stored with the intent, and checked again before each use. Source:
 * placement.md, configuration.
 *
 * @param arguments go before the launch's own
 * @param files generated configuration, each path once
 */
public record Delivery(List<String> arguments, List<DeliveredFile> files) {
    public static final Delivery NONE = new Delivery(List.of(), List.of());

    private static final int MOST_ARGUMENTS = 64;
    private static final int MOST_ARGUMENT_CHARACTERS = 65_536;
    private static final int MOST_FILES = 16;

    public Delivery {
        arguments = List.copyOf(arguments);
        files = List.copyOf(files);
        if (arguments.size() > MOST_ARGUMENTS || files.size() > MOST_FILES) {
            throw BerthException.invalid("a driver's configuration has at most " + MOST_ARGUMENTS + " arguments and "
                    + MOST_FILES + " files");
        }
        for (String argument : arguments) {
            if (argument.length() > MOST_ARGUMENT_CHARACTERS || argument.indexOf('\0') >= 0) {
                throw BerthException.invalid("an argument of the driver's configuration is too long, or holds NUL");
            }
        }
        if (files.stream().map(DeliveredFile::path).distinct().count() != files.size()) {
            throw BerthException.invalid("two configuration files have one path");
        }
    }

    /** As it is stored: {@code {arguments, files: [{path, content, digest}]}}. */
    public Map<String, Object> toTree() {
        List<Object> written = new ArrayList<>();
        for (DeliveredFile file : files) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("path", file.path());
            each.put("content", file.content());
            each.put("digest", file.digest());
            written.add(each);
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("arguments", arguments);
        tree.put("files", written);
        return tree;
    }

    /** Reads back what {@link #toTree()} gave. @throws BerthException STORAGE when it is not that, or was changed */
    public static Delivery of(Map<String, Object> tree) {
        try {
            List<String> arguments = new ArrayList<>();
            for (Object each : list(tree, "arguments")) {
                arguments.add(text(each));
            }
            List<DeliveredFile> files = new ArrayList<>();
            for (Object each : list(tree, "files")) {
                if (!(each instanceof Map<?, ?> file) || file.size() != 3) {
                    throw malformed(null);
                }
                DeliveredFile read = new DeliveredFile(text(file.get("path")), text(file.get("content")));
                if (!read.digest().equals(file.get("digest"))) {
                    throw malformed(null);
                }
                files.add(read);
            }
            if (tree.size() != 2) {
                throw malformed(null);
            }
            return new Delivery(arguments, files);
        } catch (BerthException e) {
            throw e.code() == ProblemCode.STORAGE ? e : malformed(e);
        }
    }

    private static List<?> list(Map<String, Object> tree, String name) {
        if (tree.get(name) instanceof List<?> list) {
            return list;
        }
        throw malformed(null);
    }

    private static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw malformed(null);
    }

    private static BerthException malformed(Throwable cause) {
        return new BerthException(ProblemCode.STORAGE, "the stored configuration of the launch cannot be used", cause);
    }
}
