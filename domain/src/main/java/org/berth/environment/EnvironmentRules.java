package org.berth.environment;

import java.util.regex.Pattern;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The shapes of an environment's names and paths. Source: the reference's driver schema and platform. */
public final class EnvironmentRules {
    /** The one guest root: {@value}. */
    public static final String GUEST_ROOT = "/sandbox/openrig";

    /** The one base runtime: {@value}. */
    public static final String BASE_RUNTIME = "claude-code";

    /** The native's type: {@value}. */
    public static final String NATIVE_TYPE = "community:openshell-claude";

    /** The member runtime that needs an environment: {@value}. */
    public static final String RUNTIME = "openshell-claude";

    /** The phase in which guest operations are possible: {@value}. */
    public static final String READY = "Ready";

    /** The phase of compute that ended: {@value}. */
    public static final String STOPPED = "Stopped";

    /** The phase that is recorded of an environment whose deletion is proven: {@value}. */
    public static final String DELETED = "Deleted";

    /** Bound of one file: {@value} bytes. */
    public static final int FILE_BYTES = 1_048_576;

    /** Bound of a projection: {@value} files. */
    public static final int PROJECTION_FILES = 4096;

    /** Bound of a projection: {@value} bytes together. */
    public static final int PROJECTION_BYTES = 32 * 1_048_576;

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,159}");
    private static final Pattern SEAT = Pattern.compile("[^\\s@]+@[^\\s@]+");
    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,17}[a-z0-9])?");
    private static final Pattern IMAGE = Pattern.compile(".+@sha256:[0-9a-f]{64}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private EnvironmentRules() {}

    /** @throws BerthException invalid_environment_request */
    public static String identifier(String value, String field) {
        return require(value, IDENTIFIER, field + " must be 1 to 160 letters, digits or . _ -");
    }

    /** @throws BerthException invalid_environment_request */
    public static String seat(String value) {
        return require(value, SEAT, "seat must be member@rig");
    }

    /** @throws BerthException invalid_environment_request */
    public static String name(String value) {
        return require(value, NAME, "placement.name must be 1 to 19 lower-case letters, digits or inner hyphens");
    }

    /** @throws BerthException invalid_environment_request */
    public static String image(String value) {
        return require(value, IMAGE, "placement.image must end in @sha256: and 64 lower-case hex digits");
    }

    public static boolean isSha256(String value) {
        return value != null && SHA256.matcher(value).matches();
    }

    /** A relative path without empty, dot or dot-dot parts, backslash or NUL. @throws BerthException invalid_environment_path */
    public static String relativePath(String value) {
        boolean good = value != null
                && !value.isEmpty()
                && !value.startsWith("/")
                && value.indexOf('\\') < 0
                && value.indexOf('\0') < 0;
        if (good) {
            for (String part : value.split("/", -1)) {
                good &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
            }
        }
        if (!good) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_PATH, "A guest path must be relative and must not leave its root.");
        }
        return value;
    }

    private static String require(String value, Pattern pattern, String sentence) {
        if (value == null || !pattern.matcher(value).matches()) {
            throw new BerthException(ProblemCode.INVALID_ENVIRONMENT_REQUEST, sentence + ".");
        }
        return value;
    }
}
