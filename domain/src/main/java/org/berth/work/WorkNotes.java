package org.berth.work;

import java.util.Optional;

/** The work queue as environments use it. */
public interface WorkNotes {
    Optional<WorkSelection> find(String qitemId);

    /**
     * The item with its row locked until the caller's transaction ends. Needs a transaction.
     */
    Optional<WorkSelection> lock(String qitemId);

    /** Appends a transition that changes no state. Needs the caller's transaction; announced after its commit. */
    void note(String qitemId, Actor actor, String note);
}
