package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checkpoints of a worker on OpenShell's double. */
class CheckpointIT {
    private static BerthServer server;
    private final List<EnvironmentWorld> worlds = new ArrayList<>();

    @BeforeAll
    static void create() {
        server = BerthServer.create("checkpoint").withGuestListener().start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void endNatives() {
        worlds.forEach(EnvironmentWorld::close);
    }

    @Test
    void retainsVerifiedPrivateHistoryBytesAndNonsecretExactNativeComputeReferences() throws Exception {
        EnvironmentWorld world = new EnvironmentWorld(server);
        worlds.add(world);
        Answer created = world.create().expect(201);
        world.task();
        Map<String, Object> up = world.up();
        assertThat(up).as("%s", up).containsEntry("status", "up");
        Answer taken =
                world.on("checkpoint", Map.of("operationId", world.id("cp"), "generation", up.get("generation")));
        taken.expect(200);
        assertThat(taken.text("predecessorResourceId")).isEqualTo(created.text("resource", "id"));
    }
}
