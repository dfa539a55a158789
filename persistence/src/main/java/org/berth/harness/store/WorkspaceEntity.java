package org.berth.harness.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.berth.harness.session.Workspace;
import org.berth.harness.session.WorkspaceMode;
import org.berth.harness.session.WorkspaceState;
import org.berth.placement.store.StoredValues;
import org.hibernate.Length;

/** The row of one workspace of its own. */
@Entity
@Table(name = "harness_workspaces")
class WorkspaceEntity {
    @Id
    @Column(name = "workspace_id")
    String workspaceId;

    @Column(name = "owner_id", updatable = false)
    String ownerId;

    @Column(name = "host_id", updatable = false)
    String hostId;

    @Column(name = "parent", updatable = false)
    String parent;

    @Column(name = "workspace_mode", updatable = false)
    String mode;

    @Column(name = "state")
    String state;

    @Column(name = "directory")
    String directory;

    @Column(name = "grant_ref")
    String grantRef;

    @Column(name = "hand_back_json", length = Length.LONG32)
    String handBackJson;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @Column(name = "updated_at")
    Instant updatedAt;

    @Version
    @Column(name = "version")
    long version;

    protected WorkspaceEntity() {}

    static WorkspaceEntity of(Workspace workspace) {
        WorkspaceEntity row = new WorkspaceEntity();
        row.workspaceId = workspace.workspaceId();
        row.ownerId = workspace.ownerId();
        row.hostId = workspace.hostId();
        row.parent = workspace.parent();
        row.mode = StoredValues.name(workspace.mode());
        row.createdAt = StoredValues.micros(workspace.createdAt());
        row.change(workspace);
        return row;
    }

    /** Writes what may change after the insert; never the version, which is the store's. */
    void change(Workspace workspace) {
        state = StoredValues.name(workspace.state());
        directory = workspace.directory();
        grantRef = workspace.grantRef();
        handBackJson = workspace.handBackJson();
        updatedAt = StoredValues.micros(workspace.updatedAt());
    }

    Workspace toWorkspace() {
        return new Workspace(
                workspaceId,
                ownerId,
                hostId,
                parent,
                StoredValues.constant(WorkspaceMode.class, mode),
                StoredValues.constant(WorkspaceState.class, state),
                directory,
                grantRef,
                handBackJson,
                createdAt,
                updatedAt,
                version);
    }
}
