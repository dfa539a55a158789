package org.berth.harness.session;

import java.time.Instant;
import java.util.Objects;

/**
 * What is kept of one workspace of its own, outside a session, as one snapshot. A change gives another snapshot; the store takes
 * it only when nobody stored one meanwhile.
 *
 * @param hostId the host whose files they are
 * @param parent the absolute directory that it was made from
 * @param directory where it is worked in; null while it is being prepared
 * @param grantRef the grant that covers the directory; null for none
 * @param handBackJson what the hand-back did, a JSON object; null before it
 * @param version of the stored snapshot; the store's alone
 */
public record Workspace(
        String workspaceId,
        String ownerId,
        String hostId,
        String parent,
        WorkspaceMode mode,
        WorkspaceState state,
        String directory,
        String grantRef,
        String handBackJson,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    /** @throws IllegalArgumentException for a directory or a report that does not go with the state */
    public Workspace {
        Objects.requireNonNull(workspaceId);
        Objects.requireNonNull(ownerId);
        Objects.requireNonNull(hostId);
        Objects.requireNonNull(parent);
        Objects.requireNonNull(mode);
        Objects.requireNonNull(state);
        Objects.requireNonNull(createdAt);
        Objects.requireNonNull(updatedAt);
        if ((state == WorkspaceState.PREPARING) != (directory == null)
                || (state == WorkspaceState.HANDED_BACK) != (handBackJson != null)) {
            throw new IllegalArgumentException("a workspace has a directory once it is ready, and a report at its end");
        }
    }

    /** Its files are there. @param grant null for none */
    public Workspace withDirectory(String where, String grant, Instant at) {
        return new Workspace(
                workspaceId,
                ownerId,
                hostId,
                parent,
                mode,
                WorkspaceState.READY,
                where,
                grant,
                null,
                createdAt,
                at,
                version);
    }

    /** Its changes are home. */
    public Workspace withHandBack(String reportJson, Instant at) {
        return new Workspace(
                workspaceId,
                ownerId,
                hostId,
                parent,
                mode,
                WorkspaceState.HANDED_BACK,
                directory,
                grantRef,
                reportJson,
                createdAt,
                at,
                version);
    }
}
