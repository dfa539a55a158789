package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthCommand;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A killed server loses no attempt, no byte and no exit code. */
class ServerKillIT {
    private static final int ATTEMPTS = 50;
    private static final int LINES = 4_000;
    private static final int ONE_MINUTE = 60;
    private static final int SPOOL_BYTES = 262_144;

    private static BerthServer server;

    @BeforeAll
    static void start() {
        server = BerthServer.create("server-kill").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void fiftyAttemptsAndWhoFollowsKeepEveryByteAndExitCode() throws Exception {
        List<Child> children = new ArrayList<>();
        List<OutputReader> readers = new ArrayList<>();
        Api before = server.api();
        for (int i = 0; i < ATTEMPTS; i++) {
            Child child = new Child(
                    server,
                    "seq -f '" + i + " %06.0f' 1 " + LINES + "; while [ ! -e \"$D/go\" ]; do sleep 0.5; done; "
                            + "seq -f '" + i + " %06.0f' " + (LINES + 1) + " " + 2 * LINES + "; exit " + (100 + i));
            children.add(child.start(before));
            readers.add(new OutputReader(child.id).attach(before));
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            readers.get(i).poll(before, i % 3 == 0);
        }
        BerthCommand berth = new BerthCommand(server);
        Path go = berth.directory().resolve("go");
        Path started = berth.directory().resolve("started");
        CompletableFuture<BerthCommand.Outcome> followed = CompletableFuture.supplyAsync(() -> berth.run(
                "run",
                "--",
                "sh",
                "-c",
                "seq 1 500; : > \"$0\"; while [ ! -e \"$1\" ]; do sleep 0.2; done; seq 501 1000; exit 5",
                started.toString(),
                go.toString()));
        Await.until("the followed command runs", () -> Files.exists(started));

        server.kill9();
        children.subList(0, ATTEMPTS / 2).forEach(Child::go);
        children.subList(0, ATTEMPTS / 2).forEach(Child::pid);
        server.start();
        children.subList(ATTEMPTS / 2, ATTEMPTS).forEach(Child::go);
        Files.createFile(go);

        Api api = server.api();
        for (int i = 0; i < ATTEMPTS; i++) {
            OutputReader reader = readers.get(i);
            if (i % 2 == 0) {
                reader.attach(api);
            }
            assertThat(reader.readToEnd(api).text()).as("output of %s", i).isEqualTo(lines(i));
            Records.exitedWith(api, children.get(i), 100 + i);
            assertThat(children.get(i).starts()).hasSize(1);
        }
        assertThat(followed.get(ONE_MINUTE, TimeUnit.SECONDS)).satisfies(run -> {
            assertThat(run.code()).as(run.err()).isEqualTo(5);
            assertThat(run.out().lines())
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 1000)
                            .mapToObj(Integer::toString)
                            .toList());
        });
        Records.noOrphans(server, children);
        children.forEach(child -> Records.cleanUp(api, child));
    }

    private static String lines(int attempt) {
        return IntStream.rangeClosed(1, 2 * LINES)
                .mapToObj(line -> "%d %06d\n".formatted(attempt, line))
                .collect(Collectors.joining());
    }

    @Test
    void aClientThatAcknowledgedNothingGetsEveryByteAgain() throws Exception {
        Api before = server.api();
        Child child = new Child(server, "head -c " + SPOOL_BYTES + " /dev/urandom > \"$D/bytes\"; cat \"$D/bytes\"");
        child.start(before);
        OutputReader first = new OutputReader(child.id).attach(before);
        while (first.poll(before, false)) {
            assertThat(first.bytes()).isNotEmpty();
        }

        server.kill9();
        server.start();

        Api api = server.api();
        OutputReader second = new OutputReader(child.id).attach(api).readToEnd(api);
        assertThat(second.bytes()).hasSize(SPOOL_BYTES).isEqualTo(Files.readAllBytes(child.file("bytes")));
        Records.exitedWith(api, child, 0);
        Records.cleanUp(api, child);
    }
}
