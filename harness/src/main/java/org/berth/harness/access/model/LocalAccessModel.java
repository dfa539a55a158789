package org.berth.harness.access.model;

/** Who may speak, and what modes Berth's own files are made with. Source: the harness reference, Local access, 2 and 3. */
public final class LocalAccessModel {
    private static final int PRIVATE_FILE = 0600;
    private static final int PRIVATE_DIRECTORY = 0700;

    private LocalAccessModel() {}

    /** Whether a peer of user {@code peer} is kept by a process of user {@code own}, before it said a word. */
    public static boolean isAccepted(long peer, long own) {
        return peer == own;
    }

    /** The permission bits of a state file or directory from its first moment on. */
    public static int created(boolean isDirectory, int umask) {
        return (isDirectory ? PRIVATE_DIRECTORY : PRIVATE_FILE) & ~umask;
    }
}
