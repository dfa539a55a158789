package org.berth.container;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is recorded of an attempt's container. The id is null from the intent until the engine's answer, or a look-up of
 * the name, told it.
 *
 * @param engine the engine that made it: its socket or its command line
 * @param imageId null as long as the id is
 * @param labels the six labels
 * @param killOrdered whether a KILL by way of the engine may have been sent
 * @param createdAt of the intent
 * @param startedAt the engine's time; null until it was observed
 */
public record ContainerRecord(
        String attemptId,
        String attemptKey,
        String hostId,
        String engine,
        String name,
        String containerId,
        String imageId,
        Map<String, String> labels,
        Phase phase,
        boolean init,
        boolean killOrdered,
        Instant createdAt,
        Instant startedAt) {
    public ContainerRecord {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** How far it came. */
    public enum Phase {
        /** It may have been created, under its name. */
        INTENDED,
        /** It was created and its identity is known. */
        CREATED,
        /** It was proven absent. */
        REMOVED
    }

    /** The same, created. */
    public ContainerRecord created(ContainerState state) {
        return with(state.id(), state.imageId(), Phase.CREATED, killOrdered, state.startedAt());
    }

    /** The same, seen started. */
    public ContainerRecord started(Instant at) {
        return with(containerId, imageId, phase, killOrdered, at);
    }

    /** The same, a KILL about to be sent. */
    public ContainerRecord killed() {
        return with(containerId, imageId, phase, true, startedAt);
    }

    /** The same, proven absent. */
    public ContainerRecord removed() {
        return with(containerId, imageId, Phase.REMOVED, killOrdered, startedAt);
    }

    /** Whether {@code seen} is this very container: id, image, labels and, where it was observed, the start. */
    public boolean isSame(ContainerState seen) {
        return seen.id().equals(containerId)
                && seen.imageId().equals(imageId)
                && isLabelled(seen)
                && (startedAt == null || startedAt.equals(seen.startedAt()));
    }

    /** Whether {@code seen} carries the name and the labels of this record, for one whose id is not known yet. */
    public boolean isLabelled(ContainerState seen) {
        return seen.name().equals(name) && seen.labels().entrySet().containsAll(labels.entrySet());
    }

    private ContainerRecord with(String id, String image, Phase next, boolean kill, Instant started) {
        return new ContainerRecord(
                attemptId, attemptKey, hostId, engine, name, id, image, labels, next, init, kill, createdAt, started);
    }
}
