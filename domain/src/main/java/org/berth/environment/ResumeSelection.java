package org.berth.environment;

/**
 * The saved conversation that is to go on.
 *
 * @param type the native's type; null for a fresh start, likewise {@code token}
 * @param token the native's id
 * @param snapshot what a snapshot keeps of the node; null when none is restored
 */
public record ResumeSelection(String type, String token, SnapshotReference snapshot) {
    /** A fresh start. */
    public static final ResumeSelection NONE = new ResumeSelection(null, null, null);

    /** Whether something is to be resumed. */
    public boolean resumes() {
        return type != null || token != null || snapshot != null;
    }
}
