package org.berth.harness.workspace;

import java.io.IOException;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.OsException;
import org.berth.harness.tree.Status;

/**
 * What is at a path of a tree; reached without following a link.
 *
 * @param directory holds the name; null when a directory of the path is missing
 * @param status null when there is nothing
 * @param blockedAt the path of a file or link that is where one of the path's directories goes; null for none
 */
record Place(Directory directory, String name, Status status, String blockedAt) implements AutoCloseable {
    static Place of(Directory top, String path) throws IOException {
        Directory at = top.directory(".");
        int from = 0;
        try {
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', from)) {
                String name = path.substring(from, slash);
                Directory above = at;
                try {
                    at = above.directory(name);
                } catch (OsException e) {
                    if (!e.isMissing()) {
                        throw e;
                    }
                    boolean blocked = above.status(name) != null;
                    return new Place(
                            null,
                            path.substring(path.lastIndexOf('/') + 1),
                            null,
                            blocked ? path.substring(0, slash) : null);
                } finally {
                    above.close();
                }
                from = slash + 1;
            }
            String name = path.substring(from);
            return new Place(at, name, at.status(name), null);
        } catch (IOException | RuntimeException e) {
            at.close();
            throw e;
        }
    }

    /** The status of a file or link; null when there is nothing or another thing, such as a directory. */
    Status file() {
        return status != null && (status.isRegular() || status.isLink()) ? status : null;
    }

    /** Whether nothing is there. */
    boolean isEmpty() {
        return status == null;
    }

    @Override
    public void close() {
        if (directory != null) {
            directory.close();
        }
    }
}
