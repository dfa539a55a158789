package org.berth.harness.workspace;

import java.io.IOException;

/**
 * What becomes of one path at the hand-back. The comparisons read files, so each is asked only when its answer counts.
 * Source: the harness reference, S3, A subagent's workspace 4.
 */
enum PathMerge {
    /** The child did not change it: the parent's stays. */
    KEEP,
    /** Only the child changed it: the child's version, or its removal, goes to the parent. */
    TAKE,
    /** Both have the same: nothing is to be done. */
    SAME,
    /** Both changed it, or the parent cannot hold it: the parent's stays, the child's is kept beside. */
    CONFLICT;

    /** What is to be known of one path. */
    interface Sides {
        boolean childIsBase() throws IOException;

        /** Whether the parent could have a file there; true where the child has none. */
        boolean parentCanHold() throws IOException;

        boolean parentIsBase() throws IOException;

        boolean parentIsChild() throws IOException;
    }

    static PathMerge decide(Sides sides) throws IOException {
        if (sides.childIsBase()) {
            return KEEP;
        }
        if (!sides.parentCanHold()) {
            return CONFLICT;
        }
        if (sides.parentIsBase()) {
            return TAKE;
        }
        return sides.parentIsChild() ? SAME : CONFLICT;
    }
}
