package org.berth.event.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventHorizonTest {
    private final EventHorizon horizon = new EventHorizon(10);

    @Test
    void idsRiseFromTheFirst() {
        assertThat(horizon.take("a")).isEqualTo(10);
        assertThat(horizon.take("a")).isEqualTo(11);
        assertThat(horizon.take("b")).isEqualTo(12);
    }

    @Test
    void anOpenTransactionHoldsTheHorizonAtItsFirstId() {
        assertThat(horizon.horizon()).isEqualTo(10);
        horizon.take("late");
        horizon.take("early");
        horizon.take("late");
        horizon.ended("early");
        assertThat(horizon.horizon()).isEqualTo(10);
        horizon.ended("late");
        assertThat(horizon.horizon()).isEqualTo(13);
    }

    @Test
    void aTransactionIsKnownWhileItIsOpen() {
        assertThat(horizon.knows("a")).isFalse();
        horizon.take("a");
        assertThat(horizon.knows("a")).isTrue();
        horizon.ended("a");
        assertThat(horizon.knows("a")).isFalse();
    }
}
