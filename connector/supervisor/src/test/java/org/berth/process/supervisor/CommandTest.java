package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcStat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTest extends SupervisedTest {
    private static final int MOST = CommandOrder.MOST_OUTPUT_BYTES;
    private static final byte[] NO_BYTES = {};

    @TempDir
    Path files;

    private static CommandOrder command(byte[] stdin, int millis, int bytes, String executable, String... argv) {
        return new CommandOrder(executable, List.of(argv), Map.of("PATH", "/usr/bin:/bin"), "/", stdin, millis, bytes);
    }

    private static CommandOrder sh(int millis, int bytes, String script) {
        return command(null, millis, bytes, "/bin/sh", "-c", script);
    }

    private CommandOutcome run(CommandOrder order) {
        Frame reply = client.await(client.order(new Frame.Run(order)), Duration.ofSeconds(60));
        assertThat(reply).isInstanceOf(Frame.RunReply.class);
        return ((Frame.RunReply) reply).outcome();
    }

    private Frame.Failed refused(CommandOrder order) {
        Frame reply = client.ask(new Frame.Run(order));
        assertThat(reply).isInstanceOf(Frame.Failed.class);
        return (Frame.Failed) reply;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private long awaitPid(Path file) {
        Await.until(
                "the process's number", () -> Files.exists(file) && !read(file).isBlank());
        return Long.parseLong(read(file).strip());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean lives(long pid) {
        ProcStat stat = ProcStat.of(pid);
        return stat != null && stat.live();
    }

    @Test
    void bothStreamsTheCodeAndExactlyTheEnvironmentAreTheCommandsOwn() {
        CommandOutcome outcome = run(sh(10_000, 1000, "printf out; printf err >&2; exit 7"));
        assertThat(outcome.exitCode()).isEqualTo(7);
        assertThat(text(outcome.stdout())).isEqualTo("out");
        assertThat(text(outcome.stderr())).isEqualTo("err");
        assertThat(outcome.timedOut() || outcome.truncated()).isFalse();
        CommandOrder environment =
                new CommandOrder("/usr/bin/env", List.of("-0"), Map.of("ONLY", "é≤ a=b"), "/", null, 10_000, 1000);
        assertThat(text(run(environment).stdout())).isEqualTo("ONLY=é≤ a=b\0");
    }

    @Test
    void argumentsGoThroughNoShell() {
        assertThat(text(run(command(null, 10_000, 1000, "/usr/bin/printf", "%s|", "$HOME", "a b", "`id`", "*"))
                        .stdout()))
                .isEqualTo("$HOME|a b|`id`|*|");
    }

    @Test
    void stdinArrivesWholeAndThenEnds() {
        byte[] bytes = new byte[MOST - 7];
        new Random(7).nextBytes(bytes);
        CommandOutcome outcome = run(command(bytes, 30_000, MOST, "/bin/cat"));
        assertThat(outcome.stdout()).isEqualTo(bytes);
        assertThat(outcome.exitCode()).isZero();
        assertThat(run(command(null, 10_000, 10, "/bin/cat")).stdout()).isEqualTo(NO_BYTES);
    }

    @Test
    void aCommandThatDoesNotReadItsStdinStillEnds() {
        assertThat(run(command(new byte[MOST], 10_000, 10, "/bin/true")).exitCode())
                .isZero();
    }

    @Test
    void exactlyTheBoundOfBothStreamsComesWholeAndOneByteMoreKills() {
        String both = "head -c %d /dev/zero; head -c %d /dev/zero >&2";
        CommandOutcome full = run(sh(30_000, MOST, both.formatted(MOST, MOST)));
        assertThat(full.stdout()).hasSize(MOST);
        assertThat(full.stderr()).hasSize(MOST);
        assertThat(full.truncated()).isFalse();
        assertThat(full.exitCode()).isZero();
        CommandOutcome over = run(sh(30_000, 1000, both.formatted(3, 1001) + "; sleep 60"));
        assertThat(over.truncated()).isTrue();
        assertThat(over.timedOut()).isFalse();
        assertThat(over.exitCode()).isEqualTo(-1);
        assertThat(over.stdout()).hasSize(3);
        assertThat(over.stderr()).hasSize(1000);
    }

    @Test
    void atItsTimeTheWholeGroupIsKilledAndWhatWasSaidIsKept() {
        Path pid = files.resolve("pid");
        CommandOutcome outcome =
                run(sh(700, 1000, "sleep 300 & echo $! > " + pid + "; trap '' TERM; echo said; sleep 300"));
        assertThat(outcome.timedOut()).isTrue();
        assertThat(outcome.exitCode()).isEqualTo(-1);
        assertThat(text(outcome.stdout())).isEqualTo("said\n");
        long left = awaitPid(pid);
        Await.until("the group's end", () -> !lives(left));
    }

    @Test
    void childrenLeftBehindInTheGroupAreKilledAtTheEndThoughTheyHoldTheStreams() {
        Path pid = files.resolve("pid");
        CommandOutcome outcome = run(sh(20_000, 1000, "sleep 300 & echo $! > " + pid + "; exit 3"));
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.timedOut()).isFalse();
        long left = awaitPid(pid);
        Await.until("the child's end", () -> !lives(left));
    }

    @Test
    void aProcessThatLeftTheGroupDoesNotHoldUpTheReply() {
        CommandOutcome outcome = run(sh(20_000, 1000, "setsid sleep 4 & echo gone"));
        assertThat(outcome.exitCode()).isZero();
        assertThat(text(outcome.stdout())).isEqualTo("gone\n");
    }

    @Test
    void aSignalIsToldAs128AndItsNumber() {
        assertThat(run(sh(10_000, 10, "kill -15 $$")).exitCode()).isEqualTo(143);
    }

    @Test
    void whatCannotRunIsInvalid() throws IOException {
        Path plain = Files.writeString(files.resolve("plain"), "no program");
        assertThat(List.of(
                        refused(command(null, 1000, 10, "/nonexistent")),
                        refused(command(null, 1000, 10, plain.toString())),
                        refused(command(null, 1000, 10, "relative")),
                        refused(command(null, 60_001, 10, "/bin/true")),
                        refused(command(null, 1000, MOST + 1, "/bin/true")),
                        refused(command(null, 1000, 10, "/bin/true", "a\0b")),
                        refused(new CommandOrder("/bin/true", List.of(), Map.of(), "/nonexistent", null, 1000, 10))))
                .extracting(Frame.Failed::code)
                .containsOnly("INVALID");
    }

    @Test
    void oneMoreThanMayRunAtOnceIsTurnedAwayAndTheOthersEnd() {
        Path go = files.resolve("go");
        CommandOrder waits = sh(30_000, 10, "until [ -e " + go + " ]; do sleep 0.1; done");
        List<Long> asked = IntStream.range(0, 33)
                .mapToObj(_ -> client.order(new Frame.Run(waits)))
                .toList();
        assertThat(client.await(asked.getLast(), Duration.ofSeconds(20)))
                .isInstanceOfSatisfying(
                        Frame.Failed.class, failed -> assertThat(failed.code()).isEqualTo("UNAVAILABLE"));
        try {
            Files.createFile(go);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        asked.subList(0, 32)
                .forEach(each -> assertThat(client.await(each, Duration.ofSeconds(30)))
                        .isInstanceOfSatisfying(
                                Frame.RunReply.class,
                                reply -> assertThat(reply.outcome().exitCode()).isZero()));
        assertThat(run(sh(10_000, 10, "exit 0")).exitCode()).isZero();
    }

    @Test
    void aSupervisorThatEndsKillsWhatStillRuns() {
        Path pid = files.resolve("pid");
        try (TestSupervisor own = TestSupervisor.start();
                TestClient other = own.client()) {
            other.order(new Frame.Run(sh(60_000, 10, "echo $$ > " + pid + "; sleep 300")));
            long command = awaitPid(pid);
            other.shutdown();
            Await.until("the command's end", () -> !lives(command));
        }
    }
}
