package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.berth.cli.output.Times;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "30s,PT30S", "30,PT30S", "10m,PT10M", "2h,PT2H", "1d,PT24H"})
    void a_duration_is_a_number_with_a_unit(String text, Duration duration) {
        assertThat(Times.duration(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0s", "-1s", "1w", "s", "1.5s", "12345678901s"})
    void anything_else_is_none(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Times.duration(text));
    }

    @Test
    void a_time_is_shown_in_the_local_zone() {
        LocalDateTime local = LocalDateTime.of(2026, 1, 2, 3, 4, 5)
                .atOffset(ZoneOffset.UTC)
                .atZoneSameInstant(ZoneId.systemDefault())
                .toLocalDateTime();

        assertThat(Times.local("2026-01-02T03:04:05.678Z"))
                .isEqualTo(local.toString().replace('T', ' '));
        assertThat(Times.local("soon")).isEqualTo("soon");
        assertThat(Times.local(null)).isEmpty();
    }
}
