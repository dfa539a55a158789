package org.berth.container;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What an engine tells of one container at one moment.
 *
 * @param id the full id, 64 lower-case hex digits
 * @param imageId the image's full id, without an algorithm before it
 * @param name without a leading slash
 * @param labels all of them
 * @param status the engine's word
 * @param exitCode 0 before the end
 * @param outOfMemory whether the kernel killed it for its memory
 * @param startedAt null before the start
 */
public record ContainerState(
        String id,
        String imageId,
        String name,
        Map<String, String> labels,
        String status,
        int exitCode,
        boolean outOfMemory,
        Instant startedAt) {
    private static final Set<String> ENDED = Set.of("exited", "stopped", "dead");

    public ContainerState {
        labels = Map.copyOf(labels);
    }

    /** Whether its program ran and is over. */
    public boolean ended() {
        return startedAt != null && ENDED.contains(status);
    }

    /** Whether its program never ran. */
    public boolean neverStarted() {
        return startedAt == null;
    }
}
