package org.berth.harness.job;

/** A change of the session's job documents. */
public sealed interface JobChange {
    /** The job that it is about. */
    String jobId();

    /** Creates the document. Committing it a second time changes nothing. */
    record Started(JobDocument document) implements JobChange {
        @Override
        public String jobId() {
            return document.id();
        }
    }

    /** Retires the document. Where there is none it changes nothing. */
    record Ended(String jobId) implements JobChange {}
}
