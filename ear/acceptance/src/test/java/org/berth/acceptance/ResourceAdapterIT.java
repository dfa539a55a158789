package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import jakarta.json.JsonException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** The resource adapter as its administrators see it: what went through it is counted, and it can be switched off. */
class ResourceAdapterIT {
    private static final Duration RELOAD = Duration.ofSeconds(60);
    private static final String DISABLED = "the resource adapter 'berth' is disabled; an administrator enables its"
            + " connection definition 'processes' in the management model";
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

    @Test
    void whileItsConnectionIsDisabledNothingStartsAndEnabledItWorksAgain() {
        try (BerthServer own = BerthServer.create("adapter").start()) {
            Api owner = own.api();
            String running = owner.started(aLaunch().of("sleep", "300"));
            String id = owner.prepared(aLaunch());
            enable(own, false);
            assertThat(owner.prepare(aLaunch())
                            .expectProblem(503, "UNAVAILABLE")
                            .at("error"))
                    .isEqualTo(DISABLED);
            assertThat(owner.start(id).expectProblem(503, "UNAVAILABLE").at("error"))
                    .isEqualTo(DISABLED);
            assertThat(owner.attempt(id)).containsEntry("execution_state", "intended");
            assertThat(own.children())
                    .containsExactly((Long) owner.attempt(running).get("pid"));

            enable(own, true);
            owner.start(id).expect(200);
            assertThat(owner.awaitExit(id)).isEqualTo(Map.of("code", 0L));
            assertThat(owner.evidenceKinds(id)).containsOnlyOnce("child.started");
        }
    }

    /** Switches the connection definition on or off; the application server applies it by a reload. */
    private static void enable(BerthServer own, boolean enabled) {
        Management model = new Management(own);
        List<Map<String, String>> definition = new ArrayList<>(ADAPTER);
        definition.add(Map.of("connection-definitions", "processes"));
        model.call("write-attribute", definition, "name", "enabled", "value", enabled);
        model.call("reload", List.of());
        String wanted = enabled ? "up" : "down";
        Await.until(
                "the server is back with the supervisor " + wanted,
                RELOAD,
                () -> runs(model) && wanted.equals(supervisor(own.api())));
    }

    private static boolean runs(Management model) {
        try {
            return "running".equals(model.call("read-attribute", List.of(), "name", "server-state"));
        } catch (UncheckedIOException | NoSuchElementException | JsonException e) {
            // Nobody listens, or nobody is ready to answer, while it reloads.
            return false;
        }
    }

    /** What the health route says of the supervisor; nothing while the server reloads. */
    private static String supervisor(Api api) {
        try {
            return api.get("/healthz").text("supervisor");
        } catch (UncheckedIOException | JsonException e) {
            return "";
        }
    }

    private Map<?, ?> statistics() {
        List<Map<String, String>> path = new ArrayList<>(ADAPTER);
        path.add(Map.of("statistics", "extended"));
        return (Map<?, ?>) management.call("read-resource", path, "include-runtime", true);
    }

    private static long count(Map<?, ?> statistics, String name) {
        return Long.parseLong(String.valueOf(statistics.get(name)));
    }
}
