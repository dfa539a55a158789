package org.berth.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunsOnLineTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private RunsOnLine line(boolean terminal) {
        return new RunsOnLine(new PrintStream(err, true, StandardCharsets.UTF_8), terminal);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void at_a_terminal_one_line_is_drawn_anew_and_taken_away() {
        RunsOnLine line = line(true);

        line.tell("j1", Duration.ofSeconds(5), 10);
        line.tell("j1", Duration.ofSeconds(6), 12);
        line.clear();
        line.clear();

        assertThat(said())
                .isEqualTo("\r\033[Kjob j1 runs on 5 s, 10 bytes\r\033[Kjob j1 runs on 6 s, 12 bytes\r\033[K");
    }

    @Test
    void elsewhere_a_line_comes_at_first_and_once_a_minute() {
        RunsOnLine line = line(false);

        line.tell("j1", Duration.ofSeconds(5), 10);
        line.tell("j1", Duration.ofSeconds(64), 10);
        line.tell("j1", Duration.ofSeconds(65), 11);
        line.clear();

        assertThat(said()).isEqualTo("berth: job j1 runs on 5 s, 10 bytes\nberth: job j1 runs on 65 s, 11 bytes\n");
    }

    @Test
    void a_jobs_id_cannot_steer_the_terminal() {
        line(false).tell("j\033[2J", Duration.ZERO, 0);

        assertThat(said()).doesNotContain("\033");
    }
}
