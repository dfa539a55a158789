package org.berth.harness.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.berth.harness.session.Workspace;
import org.berth.problem.BerthException;

/** Stores workspaces of their own. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class WorkspaceRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public WorkspaceRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public WorkspaceRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when the id is taken */
    public Workspace insert(Workspace workspace) {
        WorkspaceEntity row = WorkspaceEntity.of(workspace);
        entities.persist(row);
        entities.flush();
        return snapshot(row);
    }

    public Optional<Workspace> find(String workspaceId) {
        return Optional.ofNullable(entities.find(WorkspaceEntity.class, workspaceId))
                .map(this::snapshot);
    }

    /**
     * Holds the row, and writes what {@code change} makes of its newest snapshot: state, directory, grant, report and the time
     * of the update. Flushes.
     *
     * @return the stored snapshot
     * @throws BerthException NOT_FOUND
     */
    public Workspace update(String workspaceId, UnaryOperator<Workspace> change) {
        WorkspaceEntity row = entities.find(WorkspaceEntity.class, workspaceId, LockModeType.PESSIMISTIC_WRITE);
        if (row == null) {
            throw BerthException.notFound("there is no such workspace");
        }
        row.change(change.apply(row.toWorkspace()));
        entities.flush();
        return snapshot(row);
    }

    /** Forgets one that came to nothing; one that is not there is no error. */
    public void remove(String workspaceId) {
        WorkspaceEntity row = entities.find(WorkspaceEntity.class, workspaceId);
        if (row != null) {
            entities.remove(row);
        }
    }

    private Workspace snapshot(WorkspaceEntity row) {
        entities.detach(row);
        return row.toWorkspace();
    }
}
