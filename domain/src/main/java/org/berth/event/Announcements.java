package org.berth.event;

/** Tells clients of the event stream what happened. */
public interface Announcements {
    /**
     * Records {@code announcement} in the caller's transaction; it is delivered after the commit, in the order in which
     * clients can resume, and never when the transaction rolls back.
     *
     * @throws IllegalStateException without a transaction
     */
    void announce(Announcement announcement);
}
