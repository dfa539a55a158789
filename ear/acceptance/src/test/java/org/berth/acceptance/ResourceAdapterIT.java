package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The resource adapter as its administrators see it: what went through it is counted. */
class ResourceAdapterIT {
    private static final List<Map<String, String>> ADAPTER =
            List.of(Map.of("subsystem", "resource-adapters"), Map.of("resource-adapter", "berth"));

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Management management = new Management(server);

    @Test
    void whatIsLaunchedIsCounted() {
        Map<?, ?> before = statistics();
        for (int i = 0; i < 5; i++) {
            api.awaitExit(api.started(aLaunch()));
        }
        Map<?, ?> after = statistics();
        assertThat(count(after, "launches") - count(before, "launches")).isEqualTo(5);
    }

    private Map<?, ?> statistics() {
        List<Map<String, String>> path = new java.util.ArrayList<>(ADAPTER);
        path.add(Map.of("statistics", "extended"));
        return (Map<?, ?>) management.call("read-resource", path, "include-runtime", true);
    }

    private static long count(Map<?, ?> statistics, String name) {
        return Long.parseLong(String.valueOf(statistics.get(name)));
    }
}
