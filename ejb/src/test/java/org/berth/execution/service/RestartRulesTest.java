package org.berth.execution.service;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.batch.runtime.BatchStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.berth.persistence.BatchExecution;
import org.junit.jupiter.api.Test;

class RestartRulesTest {
    private static final String HERE = "host-1";
    private static final String CAPTURE = "checkpoint-capture";

    @Property
    void only_a_stopped_or_failed_newest_capture_of_this_host_is_restarted(
            @ForAll boolean capture,
            @ForAll boolean here,
            @ForAll BatchStatus status,
            @ForAll @IntRange(min = 5, max = 6) int newest) {
        boolean over = status == BatchStatus.STOPPED || status == BatchStatus.FAILED;

        assertThat(RestartRules.obstacle(
                                execution(
                                        capture ? CAPTURE : "retention",
                                        status,
                                        newest,
                                        Map.of("hostId", here ? HERE : "host-2")),
                                HERE)
                        .isEmpty())
                .isEqualTo(capture && here && over && newest == 5);
    }

    @Test
    void every_refusal_names_the_execution_and_why() {
        Map<String, String> here = Map.of("hostId", HERE);
        assertThat(RestartRules.obstacle(execution("retention", BatchStatus.FAILED, 5, here), HERE))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("5", "retention", CAPTURE));
        assertThat(RestartRules.obstacle(execution(CAPTURE, BatchStatus.FAILED, 5, Map.of()), HERE))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("5", "another host"));
        assertThat(RestartRules.obstacle(execution(CAPTURE, BatchStatus.FAILED, 9, here), HERE))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("5", "the newest is 9"));
        assertThat(RestartRules.obstacle(execution(CAPTURE, BatchStatus.COMPLETED, 5, here), HERE))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("5", "COMPLETED"));
    }

    private static BatchExecution execution(
            String job, BatchStatus status, long newest, Map<String, String> parameters) {
        return new BatchExecution(
                5, 3, newest, job, status.name(), "", Instant.EPOCH, Instant.EPOCH, parameters, List.of());
    }
}
