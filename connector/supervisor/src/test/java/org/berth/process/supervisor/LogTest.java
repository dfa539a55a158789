package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.placement.EvidenceKind;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.OutputTruncation;
import org.berth.placement.SpawnOrder;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.LogFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
    private static TestSupervisor supervisor;

    @TempDir
    Path logs;

    @BeforeAll
    static void start() {
        supervisor = TestSupervisor.start("--takeover-ms", "200");
    }

    @AfterAll
    static void end() {
        supervisor.close();
    }

    private Path directory() {
        return logs.resolve("attempt");
    }

    private SpawnOrder order(String script, OutputTruncation truncation) {
        return Orderly.sh(script)
                .log(new SpawnOrder.Log(directory().toString(), truncation))
                .order();
    }

    private LogFiles.Kept kept(OutputStreamKind stream) {
        try {
            return LogFiles.read(directory(), stream);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Set<String> names() {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitComplete() {
        Await.until("the log is complete", () -> {
            try {
                return Files.exists(directory().resolve(LogFiles.SUMMARY))
                        && LogFiles.summary(directory()).complete();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void theLogKeepsTheEndWithNobodyAttachedAndCountsWhatItDropped() throws IOException {
        try (TestClient client = supervisor.client()) {
            client.started(order("seq 1 100000; echo problem >&2", new OutputTruncation(true, 1000, 2000, false)));
            awaitComplete();
        }
        LogFiles.Kept out = kept(OutputStreamKind.STDOUT);
        assertThat(out.bytes()).hasSize(1000);
        assertThat(out.text()).endsWith("99999\n100000\n");
        assertThat(out.counts()).isEqualTo(new LogFiles.Counts(588895, 1000, 587895, true, false));
        assertThat(kept(OutputStreamKind.STDERR).text()).isEqualTo("problem\n");
        Await.until("only the whole log is left", () -> names().equals(Set.of("stdout.log", "stderr.log", "log.json")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory().resolve("stdout.log"))))
                .isEqualTo("rw-------");
    }

    @Test
    void theLogKeepsTheBeginningWhenAskedTo() {
        try (TestClient client = supervisor.client()) {
            client.started(order("seq 1 100000", new OutputTruncation(true, 100_000, 3, true)));
            awaitComplete();
        }
        assertThat(kept(OutputStreamKind.STDOUT).text()).isEqualTo("1\n2\n3\n");
        assertThat(kept(OutputStreamKind.STDOUT).counts())
                .isEqualTo(new LogFiles.Counts(588895, 6, 588889, true, false));
    }

    @Test
    void theLogIsReadableWhileTheChildWrites() {
        try (TestClient client = supervisor.client()) {
            SpawnOrder order = order("echo first; read line; echo second", OutputTruncation.DEFAULT);
            client.started(order);
            Await.until(
                    "the first line is in the log",
                    () -> Files.exists(directory().resolve(LogFiles.SUMMARY))
                            && kept(OutputStreamKind.STDOUT).text().equals("first\n"));
            client.ask(new Frame.CloseStdin(order.attemptKey(), order.nonce()));
            awaitComplete();
            assertThat(kept(OutputStreamKind.STDOUT).text()).isEqualTo("first\nsecond\n");
        }
    }

    @Test
    void aLostReceiverHoldsUpTheChildOnlyForTheTakeoverTime() {
        SpawnOrder order = order("read line; seq 1 100000; echo end >&2", OutputTruncation.OFF);
        try (TestClient first = supervisor.client()) {
            first.acknowledging = false;
            first.started(order);
            first.receive(order);
        }
        try (TestClient second = supervisor.client()) {
            second.subscribe();
            second.ask(new Frame.CloseStdin(order.attemptKey(), order.nonce()));
            second.event(order, EvidenceKind.CHILD_EXITED);
            awaitComplete();
            assertThat(new String(kept(OutputStreamKind.STDOUT).bytes(), StandardCharsets.UTF_8))
                    .hasSize(588895);
            assertThat(second.kinds(order)).doesNotContain(EvidenceKind.OUTPUT_LOST);
        }
    }

    @Test
    void aReceiverThatAttachedBeforeTheStartMissesNothingThoughTheLogWasFaster() {
        SpawnOrder order = order("seq 1 100000", OutputTruncation.OFF);
        try (TestSupervisor patient = TestSupervisor.start("--takeover-ms", "60000");
                TestClient client = patient.client()) {
            client.started(order);
            Await.until("the log has begun", () -> kept(OutputStreamKind.STDOUT).bytes().length > 0);
            client.receive(order);
            client.awaitEof(order, OutputStreamKind.STDOUT.code());
            assertThat(client.bytes(order, OutputStreamKind.STDOUT.code())).hasSize(588895);
            awaitComplete();
            assertThat(kept(OutputStreamKind.STDOUT).bytes()).hasSize(588895);
        }
    }
}
