package org.berth.environment.podman;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;

/**
 * One environment as the engine shows it.
 *
 * @param id the label's UUID
 * @param effectId the operation that made it; null when it carries none
 * @param image as the placement named it; null when it is not Berth's
 * @param unenforced a JSON list; null when there is none
 * @param container the workload's id; null when only volumes are there
 */
record PodmanSandbox(
        String id,
        String name,
        String workspace,
        String effectId,
        String image,
        String unenforced,
        String container,
        String phase) {
    static final String PENDING = "Pending";
    static final String ERROR = "Error";

    /** How long a container may be made and not started. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A row of the listing of containers; empty for one that is no whole environment. */
    static Optional<PodmanSandbox> ofRow(Map<String, Object> row, Instant now) {
        return row.get("Id") instanceof String container && row.get("State") instanceof String state
                ? of(row.get("Labels"), container, phase(state, String.valueOf(row.get("Created")), now))
                : Optional.empty();
    }

    /** An inspected container. */
    static Optional<PodmanSandbox> ofInspected(Object tree, Instant now) {
        return tree instanceof Map<?, ?> whole
                        && whole.get("Id") instanceof String container
                        && whole.get("Config") instanceof Map<?, ?> config
                        && whole.get("State") instanceof Map<?, ?> state
                        && state.get("Status") instanceof String status
                ? of(config.get("Labels"), container, phase(status, String.valueOf(whole.get("Created")), now))
                : Optional.empty();
    }

    /** A volume whose workload is not there. */
    static Optional<PodmanSandbox> ofVolume(Map<String, Object> row) {
        return of(row.get("Labels"), null, ERROR);
    }

    private static Optional<PodmanSandbox> of(Object labels, String container, String phase) {
        if (labels instanceof Map<?, ?> map
                && PodmanNames.TRUE.equals(map.get(PodmanNames.MANAGED))
                && map.get(PodmanNames.ID) instanceof String id
                && map.get(PodmanNames.WORKSPACE) instanceof String workspace
                && map.get(PodmanNames.NAME) instanceof String name) {
            return Optional.of(new PodmanSandbox(
                    id,
                    name,
                    workspace,
                    text(map, PodmanNames.OPERATION),
                    text(map, PodmanNames.IMAGE),
                    text(map, PodmanNames.UNENFORCED),
                    container,
                    phase));
        }
        return Optional.empty();
    }

    private static String text(Map<?, ?> labels, String key) {
        return labels.get(key) instanceof String text ? text : null;
    }

    private static String phase(String state, String created, Instant now) {
        return switch (state) {
            case "running" -> EnvironmentRules.READY;
            case "exited", "stopped" -> EnvironmentRules.STOPPED;
            case "created", "configured", "initialized" -> isNew(created, now) ? PENDING : ERROR;
            case "stopping" -> "Stopping";
            case "removing" -> "Deleting";
            default -> ERROR;
        };
    }

    private static boolean isNew(String created, Instant now) {
        try {
            return now.isBefore(Instant.parse(created).plus(PATIENCE));
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    PodmanNames names() {
        return new PodmanNames(id);
    }

    EnvironmentResource resource() {
        return new EnvironmentResource(id, name, workspace, phase, container, effectId);
    }
}
