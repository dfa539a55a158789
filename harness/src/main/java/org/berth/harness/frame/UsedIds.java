package org.berth.harness.frame;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ids that a kernel has used: the latest ones, as digests so that long ids cost no memory, and every one that is still
 * in flight, however many came after it.
 */
final class UsedIds {
    private final long[] firstHalves;
    private final long[] secondHalves;
    private final Set<String> inFlight = ConcurrentHashMap.newKeySet();
    private final MessageDigest sha256;
    private int next;
    private int count;

    UsedIds(int remembered) {
        firstHalves = new long[remembered];
        secondHalves = new long[remembered];
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Remembers {@code id}; false when it was used before, or is in flight. */
    boolean use(String id) {
        ByteBuffer units = ByteBuffer.allocate(id.length() * Character.BYTES);
        units.asCharBuffer().put(id);
        ByteBuffer digest = ByteBuffer.wrap(sha256.digest(units.array()));
        long first = digest.getLong();
        long second = digest.getLong();
        for (int i = 0; i < count; i++) {
            if (firstHalves[i] == first && secondHalves[i] == second) {
                return false;
            }
        }
        if (inFlight.contains(id)) {
            return false;
        }
        firstHalves[next] = first;
        secondHalves[next] = second;
        next = (next + 1) % firstHalves.length;
        count = Math.min(count + 1, firstHalves.length);
        return true;
    }

    void started(String id) {
        inFlight.add(id);
    }

    void settled(String id) {
        inFlight.remove(id);
    }
}
