package org.berth.harness.job;

import java.util.List;
import java.util.Set;

/** The session's state tree, as the writer of jobs uses it. */
public interface JobDocuments {
    /** The ids of the job documents that are there when the session opens. */
    Set<String> present();

    /**
     * Commits all changes, in their order, in one commit.
     *
     * @throws RuntimeException when nothing was committed, or when that is not known: the same changes may come again
     */
    void commit(List<JobChange> changes);

    /** Tells the main conversation, as {@code job_record_failed}, that {@code change} could not be recorded. */
    void recordFailed(JobChange change, RuntimeException cause);
}
