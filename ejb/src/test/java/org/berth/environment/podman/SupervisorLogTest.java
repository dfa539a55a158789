package org.berth.environment.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.berth.engine.Engine;
import org.berth.engine.EngineHttp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorLogTest {
    private static final String REFUSED =
            "{\"at\":\"2026-01-01T00:00:00Z\",\"host\":\"a.example\",\"port\":443,\"reason\":\"not_listed\"}";

    @Test
    void refusals_are_sentences_and_a_supervisor_that_ended_is_said(@TempDir Path directory) throws IOException {
        try (FakeEngine fake = new FakeEngine(directory.resolve("s"))) {
            fake.json("GET containers/sup/json", 200, "{\"State\":{\"Running\":false,\"Status\":\"exited\"}}");
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            frame(log, "other words\n");
            frame(log, REFUSED + "\n");
            fake.raw(
                    "GET containers/sup/logs?stdout=true&stderr=false&tail=100",
                    "HTTP/1.1 200 OK\r\n\r\n" + log.toString(StandardCharsets.ISO_8859_1));
            assertThat(SupervisorLog.refusals(new Engine(new EngineHttp(fake.socket())), "sup"))
                    .containsExactly(
                            "2026-01-01T00:00:00Z a.example:443 was refused: the policy does not list it.",
                            "The supervisor container is exited: nothing is let out.");
        }
    }

    @Test
    void a_frame_that_is_cut_is_read_as_far_as_it_goes() {
        assertThat(SupervisorLog.lines(new byte[] {1, 0, 0, 0, 0, 0, 0, 9, 'a', '\n', 'b'}))
                .containsExactly("a", "b");
    }

    private static void frame(ByteArrayOutputStream out, String text) {
        out.writeBytes(new byte[] {1, 0, 0, 0, 0, 0, 0, (byte) text.length()});
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
