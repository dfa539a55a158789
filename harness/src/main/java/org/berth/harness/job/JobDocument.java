package org.berth.harness.job;

import java.util.Objects;

/**
 * A session document for one running job; its output is not session state.
 *
 * @param id the key of the document
 * @param startedAfterEntry the last entry that was committed before the job's start, 0 for none
 * @param work what runs, for people: a command or a cell
 */
public record JobDocument(String id, long startedAfterEntry, String work) {
    /** The kind of the document. Source: harness.md, S2. */
    public static final String KIND = "berth.job";

    public JobDocument {
        Objects.requireNonNull(id);
        Objects.requireNonNull(work);
    }
}
