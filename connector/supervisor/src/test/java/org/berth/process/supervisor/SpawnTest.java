package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.berth.placement.ExecutableKind;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.SpawnOutcome.Reason;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcStat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnTest extends SupervisedTest {
    @TempDir
    Path files;

    private String file(String name, byte[] content, String mode) {
        try {
            Path file = Files.write(files.resolve(name), content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            return file.toString();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String script(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8), "rwxr-xr-x");
    }

    private Reason refusal(Orderly orderly) {
        SpawnOutcome outcome = client.spawn(orderly.order());
        assertThat(outcome).isInstanceOf(SpawnOutcome.Refused.class);
        return ((SpawnOutcome.Refused) outcome).reason();
    }

    @Test
    void eachFileThatCannotRunIsRefusedForItsOwnReason() throws IOException {
        byte[] foreign = Files.readAllBytes(Path.of("/bin/true").toRealPath());
        foreign[18] = (byte) 0xf3;
        foreign[19] = 0;
        String text = script("text", "echo run by accident > " + files.resolve("accident") + "\n");
        assertThat(refusal(Orderly.of(text))).isEqualTo(Reason.EXECUTABLE_FORMAT);
        assertThat(refusal(Orderly.of(script("lost", "#!/bin/nonexistent\n")))).isEqualTo(Reason.INTERPRETER_NOT_FOUND);
        assertThat(refusal(Orderly.of(script("empty", "")))).isEqualTo(Reason.EXECUTABLE_EMPTY);
        assertThat(refusal(Orderly.of(files.toString()))).isEqualTo(Reason.EXECUTABLE_IS_DIRECTORY);
        assertThat(refusal(Orderly.of(file("plain", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), "rw-r--r--"))))
                .isEqualTo(Reason.EXECUTABLE_NOT_PERMITTED);
        assertThat(refusal(Orderly.of(file("foreign", foreign, "rwxr-xr-x")))).isEqualTo(Reason.EXECUTABLE_FORMAT);
        assertThat(refusal(Orderly.of("/nonexistent"))).isEqualTo(Reason.EXECUTABLE_NOT_FOUND);
        assertThat(refusal(Orderly.of("/bin/true").in("/nonexistent"))).isEqualTo(Reason.WORKING_DIRECTORY);
        assertThat(refusal(Orderly.of("/bin/true").in("/etc/passwd"))).isEqualTo(Reason.WORKING_DIRECTORY);
        assertThat(files.resolve("accident")).doesNotExist();
    }

    @Test
    void theEnvironmentArrivesByteForByteWithTheMarkerAndNothingElse() {
        SpawnOrder order = Orderly.of("/usr/bin/env", "-0")
                .with("EMPTY", "")
                .with("LINES", "a\nb")
                .with("EQUALS", "a=b=c")
                .with("SPACES", "  ends  ")
                .with("SHELL_TEXT", "$HOME `id`")
                .with("LETTERS", "é≤")
                .order();
        assertThat(output(order).split("\0"))
                .containsExactlyInAnyOrder(
                        "PATH=/usr/bin:/bin",
                        "EMPTY=",
                        "LINES=a\nb",
                        "EQUALS=a=b=c",
                        "SPACES=  ends  ",
                        "SHELL_TEXT=$HOME `id`",
                        "LETTERS=é≤",
                        "BERTH_ATTEMPT_KEY=" + order.attemptKey());
    }

    @Test
    void anArgumentMayHaveTheKernelsMostBytesAndNotOneMore() {
        String most = "x".repeat(131_071);
        assertThat(output(Orderly.sh("printf %s ${#0}").order())).isNotEmpty();
        SpawnOrder order = Orderly.of("/usr/bin/printf", "%s", most).order();
        assertThat(output(order)).isEqualTo(most);
        assertThat(refusal(Orderly.of("/bin/true", most + "x"))).isEqualTo(Reason.ARGUMENTS_TOO_LARGE);
        String[] many =
                IntStream.range(0, 30).mapToObj(_ -> "y".repeat(100_000)).toArray(String[]::new);
        assertThat(refusal(Orderly.of("/bin/true", many))).isEqualTo(Reason.ARGUMENTS_TOO_LARGE);
    }

    @Test
    void argumentsAndScriptsArriveAsTheKernelWouldGiveThem() {
        String script = script("args", "#!/bin/sh -e\nprintf '%s|' \"$0\" \"$@\"\n");
        assertThat(output(Orderly.of(script, "a b", "", "é≤", "$x").order())).isEqualTo(script + "|a b||é≤|$x|");
    }

    @Test
    void theChildHasThreeDescriptorsAPrivateUmaskAndNoBlockedOrIgnoredSignal() {
        String shown = output(Orderly.sh("umask; ls /proc/self/fd; grep -E '^Sig(Blk|Ign)' /proc/self/status")
                .order());
        assertThat(shown).isEqualTo("0077\n0\n1\n2\n3\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    }

    @Test
    void theSameOrderAgainAnswersTheSameChild() {
        SpawnOrder order = Orderly.sh("sleep 30").order();
        ProcessIdentity first = client.started(order);
        assertThat(client.started(order)).isEqualTo(first);
        SpawnOrder other = Orderly.sh("sleep 30").key(order.attemptKey()).order();
        assertThat(client.spawn(other))
                .isInstanceOfSatisfying(
                        SpawnOutcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.NONCE_MISMATCH));
        client.stop(order, StopMode.FORCED, 0);
        client.exit(order);
        client.ask(new Frame.Forget(order.attemptKey(), order.nonce()));
        assertThat(client.spawn(order))
                .isInstanceOfSatisfying(
                        SpawnOutcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.FORGOTTEN));
    }

    @Test
    void fiftyEqualOrdersAtOnceStartOneChild() throws IOException {
        Path line = files.resolve("line");
        SpawnOrder order = Orderly.sh("echo started >> " + line).order();
        List<Long> asked = IntStream.range(0, 50)
                .mapToObj(_ -> client.order(new Frame.Spawn(order)))
                .toList();
        assertThat(asked)
                .extracting(each -> client.await(each, Duration.ofSeconds(10)))
                .allMatch(frame ->
                        frame instanceof Frame.SpawnReply reply && reply.outcome() instanceof SpawnOutcome.Spawned)
                .containsOnly(client.ask(new Frame.Spawn(order)));
        client.exit(order);
        assertThat(Files.readAllLines(line)).containsExactly("started");
    }

    @Test
    void noChildHoldsAnothersDescriptors() {
        for (int round = 0; round < 20; round++) {
            SpawnOrder first = Orderly.sh("read line").order();
            SpawnOrder second = Orderly.sh("read line").order();
            long one = client.order(new Frame.Spawn(first));
            long two = client.order(new Frame.Spawn(second));
            client.await(one, Duration.ofSeconds(10));
            client.await(two, Duration.ofSeconds(10));
            client.receive(first);
            client.ask(new Frame.CloseStdin(first.attemptKey(), first.nonce()));
            client.awaitEof(first, STDOUT, STDERR);
            assertThat(client.status(second).exit()).isNull();
            client.stop(second, StopMode.FORCED, 0);
        }
    }

    @Test
    void theStartTicksAreThoseAfterTheLastBracketOfTheName() {
        SpawnOrder order = Orderly.sh("printf 'a) R 1 1' > /proc/$$/comm; echo renamed; read line")
                .order();
        ProcessIdentity identity = client.started(order);
        client.receive(order);
        Await.until("the new name", () -> text(order, STDOUT).equals("renamed\n"));
        ProcStat stat = ProcStat.of(identity.pid());
        assertThat(stat.startTicks()).isEqualTo(identity.startTicks());
        assertThat(stat.group()).isEqualTo(identity.pid());
        client.stop(order, StopMode.FORCED, 0);
        assertThat(client.exit(order)).isEqualTo(new Exit.Signalled(9));
    }

    @Test
    void whatIsMeasuredIsWhatRunsAndAnotherMeasurementRefuses() {
        String script = script("tool", "#!/bin/sh\necho tool\n");
        ExecutableMeasurement measured = ((Frame.MeasureReply) client.ask(new Frame.Measure(script))).measurement();
        assertThat(measured.kind()).isEqualTo(ExecutableKind.SCRIPT);
        assertThat(measured.interpreter()).isEqualTo("/bin/sh");
        assertThat(measured.interpreterDigest()).hasSize(64);
        SpawnOrder.Expected expected = new SpawnOrder.Expected(measured.kind(), measured.digest());
        assertThat(client.spawn(Orderly.of(script).expected(expected).order()))
                .isInstanceOfSatisfying(
                        SpawnOutcome.Spawned.class,
                        spawned -> assertThat(spawned.measured()).isEqualTo(measured));
        script("tool", "#!/bin/sh\necho other\n");
        assertThat(refusal(Orderly.of(script).expected(expected))).isEqualTo(Reason.EXECUTABLE_CHANGED);
        assertThat(client.ask(new Frame.Measure("/nonexistent")))
                .isInstanceOfSatisfying(
                        Frame.Failed.class, failed -> assertThat(failed.code()).isEqualTo("NOT_FOUND"));
    }
}
