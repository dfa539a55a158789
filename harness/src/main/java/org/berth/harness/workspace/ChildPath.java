package org.berth.harness.workspace;

/**
 * One path of base or child's copy at the hand-back.
 *
 * @param base the file that the child found there; null for none
 * @param inChild whether the child has a file or link there now
 * @param unchanged whether both are the same
 * @param doubtful whether the machine may have lost the child's bytes, rather than the child removed them
 */
record ChildPath(String path, Manifest.File base, boolean inChild, boolean unchanged, boolean doubtful) {
    boolean isRemoval() {
        return base != null && !inChild;
    }
}
