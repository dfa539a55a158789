package org.berth.environment.policy;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which paths an environment may read and write; absolute and plain.
 *
 * @param includeWorkdir whether the guest root is writable without being listed
 */
public record FilesystemPolicy(boolean includeWorkdir, List<String> readOnly, List<String> readWrite) {
    public FilesystemPolicy {
        readOnly = List.copyOf(readOnly);
        readWrite = List.copyOf(readWrite);
    }

    /** Whether {@code path} lies at or below a writable path. */
    public boolean writes(String path) {
        return covers(readWrite.stream(), path);
    }

    /** Whether {@code path} lies at or below a readable path. */
    public boolean reads(String path) {
        return covers(Stream.concat(readOnly.stream(), readWrite.stream()), path);
    }

    private static boolean covers(Stream<String> listed, String path) {
        return listed.anyMatch(each -> each.equals("/") || path.equals(each) || path.startsWith(each + "/"));
    }
}
