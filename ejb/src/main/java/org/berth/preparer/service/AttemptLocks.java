package org.berth.preparer.service;

import java.util.concurrent.locks.ReentrantLock;

/** Keeps overlapping work on one attempt's preparers apart; an attempt belongs to one host, hence to one process. */
final class AttemptLocks {
    /** Attempts of one stripe wait for each other. An own choice. */
    private static final int STRIPES = 64;

    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

    AttemptLocks() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Waits for its turn; the lock ends with {@code close}. */
    Held hold(String attemptKey) {
        ReentrantLock lock = locks[Math.floorMod(attemptKey.hashCode(), STRIPES)];
        lock.lock();
        return lock::unlock;
    }

    interface Held extends AutoCloseable {
        @Override
        void close();
    }
}
