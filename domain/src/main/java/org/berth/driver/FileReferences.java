package org.berth.driver;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The {@code {file:…}} references of a provider's configuration, made to lead into the private home. A reference may name
 * a driver-declared file only, by its absolute path or by {@code ~/}; all other text stays as it is, also where it holds a
 * path. No sentence holds a word of the configuration. Source: placement.md, configuration.
 */
public final class FileReferences {
    /**
     * How many files a reference may lead through. A login and a setup file make two; the rest is room for drivers to come,
     * and an end for files that refer to each other.
     */
    public static final int MOST_NESTING = 4;

    private static final String OPEN = "{file:";

    private final Path hostHome;
    private final Path privateHome;
    private final Map<Path, String> declared = new LinkedHashMap<>();
    private final Function<String, Optional<String>> content;

    /**
     * References of one launch.
     *
     * @param hostHome absolute path of the operator's home
     * @param privateHome absolute path of the launch's home
     * @param content the text of a file below the private home by its path there: empty for one that is not there, the
     *     empty text for one whose bytes are nobody's to read, such as a login
     */
    public FileReferences(
            DriverDefinition definition, Path hostHome, Path privateHome, Function<String, Optional<String>> content) {
        this.hostHome = hostHome;
        this.privateHome = privateHome;
        this.content = content;
        definition.setup().forEach(file -> declare("~/" + file.path(), file.path()));
        if (definition.loginFile() != null) {
            DriverDefinition.LoginFile login = definition.loginFile();
            declare("~/" + login.path(), login.path());
            login.sources().forEach(source -> declare(source, login.path()));
        }
    }

    private void declare(String source, String destination) {
        declared.put(path(source), destination);
        declared.put(privateHome.resolve(destination), destination);
    }

    private Path path(String reference) {
        return reference.startsWith("~/") ? hostHome.resolve(reference.substring(2)) : Path.of(reference);
    }

    /**
     * {@code text} with each reference leading into the private home.
     *
     * @param file the configuration file's path below the home, for sentences
     * @throws BerthException DENIED for a reference that is undeclared, absent, traversing, unresolved or nested too deep
     */
    public String resolve(String file, String text) {
        return resolve(file, text, 0);
    }

    private String resolve(String file, String text, int depth) {
        int open = text.indexOf(OPEN);
        if (open < 0) {
            return text;
        }
        if (depth == MOST_NESTING) {
            throw refused(file, "leads through more than " + MOST_NESTING + " files");
        }
        StringBuilder resolved = new StringBuilder();
        int at = 0;
        while (open >= 0) {
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw refused(file, "has no end");
            }
            String destination = destination(file, text.substring(open + OPEN.length(), close));
            String nested = content.apply(destination).orElseThrow(() -> refused(file, "names an absent file"));
            resolve(destination, nested, depth + 1);
            resolved.append(text, at, open)
                    .append(OPEN)
                    .append(privateHome.resolve(destination))
                    .append('}');
            at = close + 1;
            open = text.indexOf(OPEN, at);
        }
        return resolved.append(text, at, text.length()).toString();
    }

    private String destination(String file, String reference) {
        boolean fromHome = reference.startsWith("~/");
        if (!fromHome && !reference.startsWith("/") || reference.chars().anyMatch(FileReferences::isUnresolved)) {
            throw refused(file, "cannot be resolved: it must be an absolute path, or begin with ~/");
        }
        if (!DeliveredFile.isInside(reference.substring(fromHome ? 2 : 1))) {
            throw refused(file, "is no plain path: it must not go up, nor have empty parts");
        }
        try {
            String destination = declared.get(path(reference));
            if (destination != null) {
                return destination;
            }
        } catch (InvalidPathException e) {
            throw refused(file, "is no path of this host");
        }
        throw refused(file, "names a file that the driver does not declare");
    }

    /** Marks of another reference or variable inside, of an escaped character, and of a line's end. */
    private static boolean isUnresolved(int c) {
        return c == '{' || c == '$' || c == '\\' || c < ' ';
    }

    private static BerthException refused(String file, String why) {
        return new BerthException(
                ProblemCode.DENIED, "a {file:} reference in the provider's configuration " + file + " " + why);
    }
}
