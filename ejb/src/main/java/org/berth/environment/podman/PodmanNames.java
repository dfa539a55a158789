package org.berth.environment.podman;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.berth.environment.EnvironmentPlacement;

/**
 * What the parts of one environment are called. Labels and names are those of OpenShell's own Podman driver, so that one
 * observer proves both. Source: facts on Podman and OpenShell; the reference's observer.
 *
 * @param id the environment's immutable UUID
 */
record PodmanNames(String id) {
    static final String MANAGED = "openshell.managed";
    static final String ID = "openshell.ai/sandbox-id";
    static final String ROLE = "openshell.ai/isolation-role";
    static final String WORKSPACE = "openshell.ai/sandbox-workspace";
    static final String NAME = "openshell.ai/sandbox-name";
    static final String OPERATION = "openrigoperation";

    /** The image as the placement names it. */
    static final String IMAGE = "org.berth.image";

    /** What of the policy does not hold, as a JSON list. */
    static final String UNENFORCED = "org.berth.unenforced";

    /** The role of a workload. */
    static final String SANDBOX = "sandbox";

    static final String TRUE = "true";

    /** The same effect has the same id: what a crash cut off is found again. */
    static PodmanNames of(String effectId) {
        return new PodmanNames(UUID.nameUUIDFromBytes(("podman:" + effectId).getBytes(StandardCharsets.UTF_8))
                .toString());
    }

    /** The workload's name; one for each name of a workspace, so that the engine itself refuses a second. */
    static String workload(EnvironmentPlacement placement) {
        return "openshell-sandbox-" + placement.workspace() + "." + placement.name();
    }

    String supervisor() {
        return "openshell-supervisor-" + id;
    }

    /** Shown as the guest root. */
    String workspace() {
        return "openshell-sandbox-" + id + "-workspace";
    }

    /** What only the supervisor sees. */
    String control() {
        return "openshell-control-" + id;
    }

    /** Where the supervisor's sockets are. */
    String channel() {
        return "openshell-channel-" + id;
    }

    List<String> volumes() {
        return List.of(workspace(), control(), channel());
    }

    /** The provider's variables. */
    String secret() {
        return "openshell-provider-" + id;
    }

    /** What the volumes carry. */
    Map<String, String> labels(String effectId, EnvironmentPlacement placement) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(MANAGED, TRUE);
        labels.put(ID, id);
        labels.put(WORKSPACE, placement.workspace());
        labels.put(NAME, placement.name());
        labels.put(OPERATION, effectId);
        labels.put(IMAGE, placement.image());
        return labels;
    }
}
