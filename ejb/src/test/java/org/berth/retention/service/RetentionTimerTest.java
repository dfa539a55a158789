package org.berth.retention.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.berth.host.service.HostPolicyLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetentionTimerTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                     | PT1H
            retention: { operations: 90d, events: 30d }            | PT1H
            retention: { events: 100m }                            | PT1M
            retention: { operations: 1h, events: 30d }             | PT36S
            evidence_retention: 2s                                 | PT1S
            """)
    void a_look_comes_once_an_hour_and_more_often_where_the_shortest_retention_deserves_it(
            String policy, Duration every) {
        assertThat(RetentionTimer.every(HostPolicyLoader.parse(policy))).isEqualTo(every);
    }
}
