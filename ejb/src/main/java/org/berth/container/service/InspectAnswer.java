package org.berth.container.service;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.container.ContainerState;
import org.berth.problem.BerthException;

/** Reads what an engine tells of one container; Podman and Docker use the same names. */
final class InspectAnswer {
    private static final String ALGORITHM = "sha256:";

    private InspectAnswer() {}

    /** @throws BerthException UNAVAILABLE for a tree without id, image or state */
    static ContainerState read(Object tree) {
        if (tree instanceof Map<?, ?> container
                && container.get("Id") instanceof String id
                && container.get("Image") instanceof String image
                && container.get("Name") instanceof String name
                && container.get("State") instanceof Map<?, ?> state
                && state.get("Status") instanceof String status
                && state.get("ExitCode") instanceof Number code) {
            return new ContainerState(
                    id,
                    image.startsWith(ALGORITHM) ? image.substring(ALGORITHM.length()) : image,
                    name.startsWith("/") ? name.substring(1) : name,
                    labels(container.get("Config")),
                    status,
                    code.intValue(),
                    Boolean.TRUE.equals(state.get("OOMKilled")),
                    time(state.get("StartedAt")));
        }
        throw BerthException.unavailable("the container engine's answer about a container cannot be read");
    }

    private static Map<String, String> labels(Object config) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (config instanceof Map<?, ?> parts && parts.get("Labels") instanceof Map<?, ?> carried) {
            carried.forEach((label, value) -> labels.put(String.valueOf(label), String.valueOf(value)));
        }
        return labels;
    }

    /** Engines write the year 1 for never. */
    private static Instant time(Object text) {
        try {
            Instant at = text instanceof String written
                    ? OffsetDateTime.parse(written).toInstant()
                    : Instant.MIN;
            return at.isAfter(Instant.EPOCH) ? at : null;
        } catch (DateTimeParseException e) {
            throw BerthException.unavailable("the container engine's answer about a container cannot be read");
        }
    }
}
