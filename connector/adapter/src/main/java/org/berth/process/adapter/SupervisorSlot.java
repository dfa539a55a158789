package org.berth.process.adapter;

import java.nio.file.Path;

/** One supervisor that this host has or had: the same slot over all connections to it. */
final class SupervisorSlot {
    /** First 8 digits of the supervisor's build. */
    final String build;

    final Path socket;

    /** Of this adapter's own build: takes new spawns. Others only serve the attempts they have. */
    final boolean own;

    /** Null while not connected, and until its attempts are known. */
    volatile SupervisorClient client;

    /** Its attempts were asked for once: what has no route to it is unknown to it. */
    volatile boolean learnt;

    /** Since the adapter started; the first is no reconnect. Used by the keeper only. */
    int connections;

    /** Pause before the next try, in milliseconds; 0 after a success. Used by the keeper only. */
    int pauseMillis;

    /** When the next try is due (nanoTime). Used by the keeper only. */
    long dueNanos = System.nanoTime();

    SupervisorSlot(String build, Path socket, boolean own) {
        this.build = build;
        this.socket = socket;
        this.own = own;
    }
}
