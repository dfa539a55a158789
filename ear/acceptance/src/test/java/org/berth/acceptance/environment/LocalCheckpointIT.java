package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A checkpoint of a history of one mebibyte in the embedded environment, with the stand-in agent. */
class LocalCheckpointIT {
    private static final int MIB = 1_048_576;

    private static BerthServer server;

    @BeforeAll
    static void start() {
        server = BerthServer.create("local-checkpoint").withGuestListener().start();
    }

    @AfterAll
    static void end() {
        server.close();
        // An environment outlives its server; the death of its namespace's init ends all of it.
        ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains(server.home() + "/environments/"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void a_history_of_one_mebibyte_is_kept_while_the_agent_goes_on() throws Exception {
        try (LocalWorker worker = new LocalWorker(server)) {
            grow(worker);

            Duration[] took = new Duration[4];
            for (int i = 0; i < took.length; i++) {
                long begun = System.nanoTime();
                Answer taken = worker.take("cp" + i);
                took[i] = Duration.ofNanos(System.nanoTime() - begun);
                Map<String, Object> file =
                        Json.objects(taken.expect(200).json(), "files").getFirst();
                assertThat(file).containsEntry("bytes", (long) MIB);
                assertThat(Path.of((String) file.get("source"))).hasSameBinaryContentAs(worker.history);
                System.err.println(
                        "checkpoint of 1 MiB on local, number " + (i + 1) + ": " + took[i].toMillis() + " ms");
            }

            worker.append(worker.record("x".repeat(10)));
            assertThat(worker.take("over").status())
                    .as("a history over one mebibyte")
                    .isEqualTo(409);
        }
    }

    private static void grow(LocalWorker worker) throws IOException {
        StringBuilder more = new StringBuilder();
        long missing = MIB - Files.size(worker.history);
        int overhead = worker.record("").length();
        while (missing > 0) {
            int text = (int) Math.min(8192, missing - overhead);
            long after = missing - overhead - text;
            if (after > 0 && after < overhead) {
                text -= overhead;
            }
            more.append(worker.record("x".repeat(text)));
            missing -= overhead + text;
        }
        worker.append(more.toString());
        assertThat(Files.size(worker.history)).isEqualTo(MIB);
    }
}
