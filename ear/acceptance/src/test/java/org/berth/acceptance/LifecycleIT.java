package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;
import static org.berth.acceptance.StreamClient.STDERR;
import static org.berth.acceptance.StreamClient.STDOUT;
import static org.berth.acceptance.StreamClient.TTY;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** One attempt from intent to clean-up: start, stop, input, attachment, window, log. */
class LifecycleIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void aRepeatedPrepareAnswersTheSameAttemptWhateverTheOrderOfItsFields() {
        LaunchRequests launch = aLaunch().environment("A", "1").environment("B", "2");
        Answer first = api.prepare(launch).expect(201);
        Map<String, Object> reversed = new LinkedHashMap<>();
        launch.tree().keySet().stream()
                .toList()
                .reversed()
                .forEach(name -> reversed.put(name, launch.tree().get(name)));
        StringBuilder spaced = new StringBuilder("{ ");
        reversed.forEach((name, value) -> spaced.append(spaced.length() > 2 ? " ,\n" : "")
                .append(Json.write(name))
                .append(" : ")
                .append(Json.write(value)));
        Answer again = api.raw(
                        "POST",
                        Api.ATTEMPTS,
                        "application/json",
                        spaced.append(" }").toString().getBytes(StandardCharsets.UTF_8))
                .expect(200);

        assertThat(again.at("request_digest")).isEqualTo(first.at("request_digest"));
        assertThat(api.evidence(launch.attemptId())).hasSize(1);
        api.prepare(launch.environment("C", "3")).expectProblem(409, "CONFLICT");
    }

    @Test
    void aStopBeforeTheStartIsFinal() {
        Path mark = server.directory("never").resolve("mark");
        String id = api.prepared(aLaunch().of("touch", mark.toString()));

        Answer stopped = api.stop(id, "cooperative").expect(200);
        assertThat(stopped.at("execution_state")).isEqualTo("exited");
        assertThat(stopped.at("cleanup_state")).isEqualTo("complete");
        assertThat(stopped.at("exit_source")).isEqualTo("not_started");
        assertThat(api.start(id).expect(200).at("execution_state")).isEqualTo("exited");
        assertThat(mark).doesNotExist();
        assertThat(api.evidenceKinds(id)).doesNotContain("child.started", "home.created");
    }

    @Test
    void aChildThatIgnoresTheAskingIsKilledAfterItsGrace() {
        String id = api.prepared(aLaunch()
                .of("bash", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done")
                .timeout("stop_grace_ms", 300));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitText(STDOUT, "ready");
            long pid = (Long) api.attempt(id).get("pid");
            api.stop(id, "cooperative").expect(200);

            assertThat(api.awaitExit(id)).isEqualTo(Map.of("signal", 9L));
            assertThat(Proc.lives(pid)).isFalse();
            assertThat(api.evidenceKinds(id)).containsSubsequence("stop.requested", "signal.term", "signal.kill");
        }
    }

    @Test
    void aForcedStopKillsAtOnce() {
        String id = api.started(aLaunch().of("bash", "-c", "trap '' TERM; while :; do sleep 0.05; done"));
        api.stop(id, "forced").expect(200);

        assertThat(api.awaitExit(id)).isEqualTo(Map.of("signal", 9L));
        assertThat(api.evidenceKinds(id)).contains("signal.kill").doesNotContain("signal.term");
        assertThat(api.stop(id, "forced").expect(200).at("execution_state")).isEqualTo("exited");
    }

    @Test
    void aClosedStdinEndsAReader() {
        String id = api.prepared(aLaunch().of("cat"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            String text = stream.input("one\n".getBytes(StandardCharsets.UTF_8));
            assertThat(stream.awaitInputAck(text)).containsEntry("accepted", true);
            String binary = stream.binaryInput("two\n".getBytes(StandardCharsets.UTF_8));
            assertThat(stream.awaitInputAck(binary)).containsEntry("accepted", true);
            stream.input(text, "one\n".getBytes(StandardCharsets.UTF_8));
            stream.awaitText(STDOUT, "two\n");
            Answer closed = api.post(Api.ATTEMPTS + "/" + id + "/stdin/close").expect(200);
            assertThat(closed.at("closed")).isEqualTo(true);
            stream.awaitEnds(STDOUT, STDERR);

            assertThat(stream.text(STDOUT)).isEqualTo("one\ntwo\n");
            assertThat(stream.awaitExit()).containsEntry("code", 0L);
            assertThat(writeStatus(id, text)).isEqualTo("accepted");
            assertThat(writeStatus(id, StreamClient.newWriteId())).isEqualTo("unknown");
        }
        assertThat(api.evidenceKinds(id)).contains("stdin.closed");
    }

    private String writeStatus(String id, String writeId) {
        return api.get(Api.ATTEMPTS + "/" + id + "/writes/" + writeId)
                .expect(200)
                .text("status");
    }

    @Test
    void stdinOfTheRequestIsReadToItsEnd() {
        String id = api.prepared(aLaunch().of("wc", "-c").stdin("h\u00e9llo\n", true));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT);
            assertThat(stream.text(STDOUT).strip()).isEqualTo("7");
        }
    }

    @Test
    void aNewRecipientFencesTheOldOne() {
        String id = api.prepared(aLaunch().of("cat"));
        try (StreamClient old = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            old.awaitEvent("attached");
            try (StreamClient fresh = StreamClient.attach(api, id)) {
                assertThat(fresh.generation()).isEqualTo(old.generation() + 1);
                assertThat(old.awaitEvent("fenced")).containsEntry("generation", fresh.generation());
                assertThat(old.awaitClose()).isEqualTo(4409);
                Answer refused = api.post(
                        Api.ATTEMPTS + "/" + id + "/input",
                        Map.of("generation", old.generation(), "write_id", StreamClient.newWriteId(), "data", "bm8K"));
                assertThat(refused.expect(200).at("accepted")).isEqualTo(false);
                assertThat(refused.at("reason")).isEqualTo("fenced");
                assertThat(refused.at("generation")).isEqualTo(fresh.generation());
                String write = fresh.input("yes\n".getBytes(StandardCharsets.UTF_8));
                assertThat(fresh.awaitInputAck(write)).containsEntry("accepted", true);
                fresh.closeStdin();
                fresh.awaitEnds(STDOUT, STDERR);
                assertThat(fresh.text(STDOUT)).isEqualTo("yes\n");
            }
        }
        assertThat(api.evidenceKinds(id)).contains("attachment.fenced");
    }

    @Test
    void whatNobodyAcknowledgedIsSentAgain() {
        String id = api.prepared(aLaunch().script("echo kept; exec sleep 300"));
        long generation = api.attach(id).number("generation");
        try (StreamClient first = StreamClient.connect(api, id, generation, false)) {
            api.start(id).expect(200);
            first.awaitText(STDOUT, "kept\n");
        }
        try (StreamClient again = StreamClient.connect(api, id, generation)) {
            again.awaitText(STDOUT, "kept\n");
        }
        api.stop(id, "forced").expect(200);
    }

    @Test
    void aWindowIsATerminalThatTakesInputAndChangesItsSize() {
        String id = api.prepared(aLaunch()
                .of("bash", "-c", "tty >/dev/null && stty size; read -r line; echo \"got $line\"; stty size")
                .window(30, 100));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitText(TTY, "30 100");
            stream.resize(40, 120);
            stream.input("hello\r".getBytes(StandardCharsets.UTF_8));
            stream.awaitText(TTY, "got hello");
            stream.awaitText(TTY, "40 120");
            assertThat(stream.awaitExit()).containsEntry("code", 0L);
        }
    }

    @Test
    void aLogKeepsACountOfWhatItDropped() {
        String id = api.started(aLaunch().script("seq 1 400000; echo end >&2").logged());
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        Answer log = Await.value(
                "the log is complete",
                () -> api.get(Api.ATTEMPTS + "/" + id + "/logs?stream=stdout"),
                answer -> answer.status() == 200 && header(answer, "Produced") == 2_688_895);

        assertThat(header(log, "Kept") + header(log, "Dropped")).isEqualTo(2_688_895);
        assertThat(header(log, "Kept")).isEqualTo(log.body().length);
        assertThat(api.get(Api.ATTEMPTS + "/" + id + "/logs?stream=stderr").text())
                .isEqualTo("end\n");
        assertThat(api.get(Api.ATTEMPTS + "/" + id + "/logs?stream=stdout&tail=1")
                        .text())
                .isEqualTo("400000\n");
        assertThat(api.cleanUp(id).expect(200).at("cleanup_state")).isEqualTo("complete");
        api.get(Api.ATTEMPTS + "/" + id + "/logs?stream=stderr").expect(200);
    }

    private static long header(Answer answer, String name) {
        return Long.parseLong(answer.header("X-Berth-Log-" + name));
    }

    @Test
    void aStreamTakesOverFromTheLogWhichGoesOn() throws Exception {
        Path gate = server.directory("takeover").resolve("gate");
        String id = api.prepared(aLaunch()
                .script("echo one; until [ -e '" + gate + "' ]; do sleep 0.05; done; echo two")
                .logged());
        api.start(id).expect(200);
        Await.until(
                "the log has the first line",
                () -> api.get(Api.ATTEMPTS + "/" + id + "/logs").text().equals("one\n"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            stream.awaitEvent("attached");
            Files.createFile(gate);
            stream.awaitText(STDOUT, "two\n");
        }
        Await.until(
                "the log has both",
                () -> api.get(Api.ATTEMPTS + "/" + id + "/logs").text().equals("one\ntwo\n"));
    }

    @Test
    void aLogAndAStreamAtOnceEachGetEveryByteOnceAndInOrder() throws Exception {
        Path written = server.directory("both").resolve("bytes");
        String id = api.prepared(aLaunch()
                .script("head -c 1048576 /dev/urandom | tee '" + written + "'")
                .with("output", Map.of("recipient", "log", "truncation", "off")));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT, STDERR);
            byte[] bytes = Files.readAllBytes(written);

            assertThat(bytes).hasSize(1 << 20);
            assertThat(stream.bytes(STDOUT)).isEqualTo(bytes);
            assertThat(stream.sequences())
                    .isEqualTo(
                            LongStream.rangeClosed(1, stream.received()).boxed().toList());
            Answer log = Await.value(
                    "the log is complete",
                    () -> api.get(Api.ATTEMPTS + "/" + id + "/logs").expect(200),
                    answer -> header(answer, "Produced") == bytes.length);
            assertThat(header(log, "Dropped")).isZero();
            assertThat(log.body()).isEqualTo(bytes);
            assertThat(stream.awaitExit()).containsEntry("code", 0L);
        }
    }

    @Test
    void aGroupIsCleanedUpOnlyWhenNobodyIsLeft() {
        String id = api.started(aLaunch().script("sleep 300 >/dev/null 2>&1 </dev/null & exit 0"));
        api.awaitExit(id);
        long group = (Long) api.attempt(id).get("pid");
        assertThat(Proc.group(group)).isNotEmpty();
        Path home = Path.of(Proc.environment(Proc.group(group).getFirst()).stream()
                .filter(entry -> entry.startsWith("HOME="))
                .findFirst()
                .orElseThrow()
                .substring(5));

        api.cleanUp(id).expectProblem(409, "CONFLICT");
        assertThat(api.evidenceKinds(id)).contains("cleanup.refused").doesNotContain("cleanup.complete");
        assertThat(home).exists();
        api.stop(id, "forced").expect(200);
        Await.until("the group is gone", () -> Proc.group(group).isEmpty());
        assertThat(api.cleanUp(id).expect(200).at("cleanup_state")).isEqualTo("complete");
        assertThat(home).doesNotExist();
        assertThat(api.cleanUp(id).expect(200).at("cleanup_state")).isEqualTo("complete");
    }

    @Test
    void aContainedTreeDiesWithItsEscapedGrandchild() {
        String marker = "tree-" + UUID.randomUUID();
        LaunchRequests launch = aLaunch()
                .environment("MARKER", marker)
                .script("setsid sleep 300 >/dev/null 2>&1 </dev/null & sleep 300")
                .cleanup("contained_tree");
        Answer prepared = api.prepare(launch);
        if (!String.valueOf(api.get("/api/placement/capabilities").expect(200).json())
                .contains("contained_tree")) {
            prepared.expectProblem(422, "UNSUPPORTED_CAPABILITY");
            return;
        }
        prepared.expect(201);
        String id = launch.attemptId();
        api.start(id).expect(200);
        Await.until(
                "the grandchild runs",
                () -> Proc.withEnvironment("MARKER=" + marker).size() >= 3);
        api.cleanUp(id).expectProblem(409, "CONFLICT");

        api.stop(id, "forced").expect(200);
        api.awaitExit(id);
        Await.until(
                "the tree is gone",
                () -> Proc.withEnvironment("MARKER=" + marker).isEmpty());
        assertThat(api.cleanUp(id).expect(200).at("cleanup_state")).isEqualTo("complete");
    }

    @Test
    void aMeasuredProgramRunsAndAChangedOneDoesNot() throws Exception {
        Path program = server.directory("measured").resolve("program");
        Files.writeString(program, "#!/bin/sh\nexit 4\n");
        Files.setPosixFilePermissions(program, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        Answer measured = api.post("/api/placement/executables/measure", Map.of("path", program.toString()))
                .expect(200);
        assertThat(measured.at("kind")).isEqualTo("script");
        Map<String, Object> measurement = Map.of(
                "revision", measured.at("revision"), "kind", measured.at("kind"), "digest", measured.at("digest"));
        String same = api.started(aLaunch().of(program.toString()).with("executable", measurement));
        assertThat(api.awaitExit(same)).isEqualTo(Map.of("code", 4L));
        assertThat(api.evidenceKinds(same)).contains("executable.measured");

        String other = api.prepared(aLaunch().of(program.toString()).with("executable", measurement));
        Files.writeString(program, "#!/bin/sh\nexit 5\n");
        assertThat(api.start(other).status()).isBetween(400, 499);
        assertThat(api.evidenceKinds(other)).contains("executable.changed", "child.not_started");
        assertThat(api.attempt(other)).containsEntry("exit_source", "not_started");
    }

    @Test
    void theHostSaysWhatItMeasuredAndAllows() {
        Answer capabilities = api.get("/api/placement/capabilities").expect(200);
        assertThat(capabilities.text("capability")).isIn("contained_tree", "process_group");
        assertThat(capabilities.number("sweep", "bound")).isEqualTo(64);
        Answer host = api.get("/api/placement/host").expect(200);
        assertThat(host.text()).contains("default", "secrets/env", "granted");
        assertThat(api.get("/api/whoami").expect(200).json())
                .containsEntry("owner_id", "owner")
                .containsEntry("roles", List.of("operator", "owner"));
    }
}
