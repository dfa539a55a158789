package org.berth.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.work.Actor;
import org.berth.work.WorkSelection;
import org.junit.jupiter.api.Test;

class WorkScopeTest {
    private static final WorkScope SCOPE = new WorkScope("worker-grant", "worker@team", List.of("team"));

    @Test
    void theActorIsTheGrantAndNotWhatAHeaderClaims() {
        assertThat(SCOPE.actor())
                .isEqualTo(new Actor("worker@team", "principal:v1", "{\"source\":\"file\",\"id\":\"worker-grant\"}"));
    }

    @Test
    void itReachesItsOwnSeatAndThoseOfItsRigs() {
        assertThat(SCOPE.reaches("worker@team")).isTrue();
        assertThat(SCOPE.reaches("coordinator@team")).isTrue();
        assertThat(SCOPE.reaches("worker@other")).isFalse();
        assertThat(SCOPE.reaches("team")).isFalse();
        assertThat(new WorkScope("g", "worker@team", List.of()).reaches("worker@team"))
                .isTrue();
    }

    @Test
    void itSeesWhatConcernsItsSeatOnly() {
        assertThat(SCOPE.sees(item("coordinator@team", "worker@team"))).isTrue();
        assertThat(SCOPE.sees(item("worker@team", "coordinator@team"))).isTrue();
        assertThat(SCOPE.sees(item("coordinator@team", "third@team"))).isFalse();
        assertThat(SCOPE.sees(item("stranger@other", "worker@team"))).isFalse();
        assertThat(SCOPE.owns(item("coordinator@team", "worker@team"))).isTrue();
        assertThat(SCOPE.owns(item("worker@team", "coordinator@team"))).isFalse();
    }

    private static WorkSelection item(String source, String destination) {
        return new WorkSelection("q", source, destination, "pending", null);
    }
}
