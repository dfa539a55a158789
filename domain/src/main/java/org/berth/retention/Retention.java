package org.berth.retention;

/** Removes what the host's retention is over for. */
public interface Retention {
    /** One look over everything, in bounded batches; what it leaves, the next takes. Called by one job at a time. */
    Outcome removeExpired() throws InterruptedException;

    /**
     * How much is gone.
     *
     * @param attempts attempts, each with its evidence
     * @param operations journalled operations of environments, of which their ids stay
     * @param events events of the stream
     */
    record Outcome(int attempts, int operations, int events) {}
}
