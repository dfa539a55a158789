package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.environment.local.LocalSamples.CREATED;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalPhaseTest {
    @ParameterizedTest
    @CsvSource({
        "false, false, false, 1, PENDING",
        "false, false, false, 31, ERROR",
        "true, true, true, 1, READY",
        "true, true, true, 86400, READY",
        "true, true, false, 1, PENDING",
        "true, true, false, 31, ERROR",
        "true, false, false, 1, STOPPED",
        "true, false, false, 31, STOPPED",
        "true, false, true, 31, STOPPED"
    })
    void a_phase_follows_from_what_is_observed(
            boolean recorded, boolean alive, boolean connected, long seconds, LocalPhase phase) {
        LocalRecord begun = LocalSamples.aRecord("00000000-0000-0000-0000-000000000001", "worker");
        LocalRecord observed = recorded ? begun.withProcess(LocalSamples.aProcess()) : begun;
        Instant now = CREATED.plusSeconds(seconds);
        assertThat(LocalPhase.of(observed, alive, connected, now)).isEqualTo(phase);
    }
}
