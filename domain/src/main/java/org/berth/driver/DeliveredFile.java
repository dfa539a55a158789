package org.berth.driver;

import java.nio.charset.StandardCharsets;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;

/**
 * A generated configuration file. Source: placement.md, configuration.
 *
 * @param path below the private home, relative, without empty parts, {@code .} or {@code ..}
 * @param content UTF-8 text of at most {@link #MOST_BYTES} bytes
 */
public record DeliveredFile(String path, String content) {
    /** Source: placement.md, configuration. */
    public static final int MOST_BYTES = 8192;

    public DeliveredFile {
        if (!isInside(path)) {
            throw BerthException.invalid("a configuration file's path must be relative and stay inside the home");
        }
        if (content.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw BerthException.invalid(
                    "the configuration file " + path + " would be more than " + MOST_BYTES + " bytes");
        }
    }

    /** sha256 of the content, 64 lower-case hex digits. */
    public String digest() {
        return CanonicalJson.sha256(content.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a relative path names something below its base and nothing else. */
    public static boolean isInside(String path) {
        if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0) {
            return false;
        }
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return false;
            }
        }
        return true;
    }
}
