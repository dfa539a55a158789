package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartsUnderWayTest {
    private final StartsUnderWay starts = new StartsUnderWay();

    @Test
    void aStartThatFoundTheClaimTakenLeavesTheOtherUnderWay() {
        starts.begin("a");
        starts.begin("a");
        starts.end("a");
        assertThat(starts.contains("a")).isTrue();
        starts.end("a");
        assertThat(starts.contains("a")).isFalse();
    }

    @Test
    void anEndBeyondTheLastChangesNothing() {
        starts.end("a");
        starts.begin("a");
        assertThat(starts.contains("a")).isTrue();
        assertThat(starts.contains("b")).isFalse();
    }
}
