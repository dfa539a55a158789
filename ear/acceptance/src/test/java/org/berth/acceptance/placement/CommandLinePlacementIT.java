package org.berth.acceptance.placement;

import org.berth.acceptance.podman.PodmanEngine;

/**
 * The same launches by a command line with Docker's surface, for which Podman's own stands: nothing of its REST interface
 * is used. Source: placement.md, Container backend.
 */
class CommandLinePlacementIT extends ContainerPlacementIT {
    @Override
    String placement(PodmanEngine engine) {
        return "placement: docker\ncontainer:\n  cli: podman\n  users: keep_id\n";
    }
}
