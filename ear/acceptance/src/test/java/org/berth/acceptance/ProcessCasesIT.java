package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;
import static org.berth.acceptance.StreamClient.STDERR;
import static org.berth.acceptance.StreamClient.STDOUT;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.berth.placement.CanonicalJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that people met with supervisors of processes, each with its right value. Source: docs of the cases. */
class ProcessCasesIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    private Path scratch(String name) {
        return server.directory(name);
    }

    @Test
    void aSurvivorInTheGroupDelaysNeitherTheExitNorTheEndOfTheStreams() {
        String id =
                api.prepared(aLaunch().script("sleep 30 & echo done; exit 7").timeout("drain_ms", 500));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 7L));
            stream.awaitEnds(STDOUT, STDERR);

            assertThat(stream.text(STDOUT)).isEqualTo("done\n");
            assertThat(stream.truncated(STDOUT)).isTrue();
            assertThat(stream.awaitExit()).containsEntry("code", 7L);
        }
        assertThat(api.awaitEvidence(id, "output.drain_elapsed")).isNotNull();
        api.cleanUp(id).expectProblem(409, "CONFLICT");
        api.stop(id, "forced").expect(200);
        Await.until("the group is gone", () -> api.cleanUp(id).status() == 200);
    }

    @Test
    void aSlowReaderGetsEveryByteInOrder() {
        String id = api.prepared(aLaunch().script("seq 1 100000"));
        long generation = api.attach(id).number("generation");
        try (StreamClient stream = StreamClient.connect(api, id, generation, false)) {
            api.start(id).expect(200);
            long consumed = 0;
            while (!stream.ended(STDOUT) || !stream.ended(STDERR)) {
                long before = consumed;
                consumed = Await.value("more output", stream::received, newest -> newest > before);
                stream.acknowledgeThrough(consumed);
            }
            String expected = IntStream.rangeClosed(1, 100_000)
                    .collect(StringBuilder::new, (all, n) -> all.append(n).append('\n'), StringBuilder::append)
                    .toString();
            assertThat(stream.count(STDOUT)).isEqualTo(588_895);
            assertThat(stream.text(STDOUT)).isEqualTo(expected);
            assertThat(stream.sequences())
                    .isEqualTo(IntStream.rangeClosed(1, stream.sequences().size())
                            .mapToObj(Long::valueOf)
                            .toList());
            stream.acknowledge(true);
            assertThat(stream.awaitExit()).containsEntry("code", 0L);
        }
    }

    @Test
    void whatASurvivorWritesWhileTheDrainLastsArrives() {
        String id = api.prepared(aLaunch().script("(sleep 1; echo late) & echo early; exit 0"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT, STDERR);

            assertThat(stream.text(STDOUT)).isEqualTo("early\nlate\n");
            assertThat(stream.truncated(STDOUT)).isFalse();
        }
    }

    @Test
    void theEndOfTheStreamsIsNoExit() throws Exception {
        Path gate = scratch("gate").resolve("open");
        String id = api.prepared(
                aLaunch().script("echo a; exec >&- 2>&-; until [ -e '" + gate + "' ]; do sleep 0.05; done; exit 9"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT, STDERR);

            assertThat(stream.text(STDOUT)).isEqualTo("a\n");
            assertThat(api.attempt(id)).containsEntry("execution_state", "running");
            Files.createFile(gate);
            assertThat(stream.awaitExit()).containsEntry("code", 9L);
        }
    }

    @Test
    void noChildHoldsAnotherChildsStreams() throws Exception {
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 20; round++) {
                List<String> ids = List.of(
                        api.prepared(aLaunch().of("sleep", "300")),
                        api.prepared(aLaunch().of("sleep", "300")));
                try (StreamClient first = StreamClient.attach(api, ids.get(0));
                        StreamClient second = StreamClient.attach(api, ids.get(1))) {
                    List<Callable<Answer>> starts = new ArrayList<>();
                    ids.forEach(id -> starts.add(() -> api.start(id)));
                    for (Future<Answer> start : both.invokeAll(starts)) {
                        start.get().expect(200);
                    }
                    api.stop(ids.get(0), "forced").expect(200);
                    first.awaitEnds(STDOUT, STDERR);

                    assertThat(first.truncated(STDOUT)).isFalse();
                    assertThat(second.ended(STDOUT)).isFalse();
                    api.stop(ids.get(1), "forced").expect(200);
                    second.awaitEnds(STDOUT, STDERR);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"exit 143, code, 143", "kill -TERM $$, signal, 15", "kill -KILL $$, signal, 9", "exit 256, code, 0"})
    void codeAndSignalAreToldApart(String script, String kind, long value) {
        String id = api.started(aLaunch().of("bash", "-c", script));

        assertThat(api.awaitExit(id)).isEqualTo(Map.of(kind, value));
        assertThat(api.attempt(id)).containsEntry("stop_requested", null).containsEntry("exit_source", "runner");
    }

    @Test
    void aStopByTheOwnerIsToldApartFromTheStatus() {
        String id = api.started(aLaunch().of("bash", "-c", "trap 'exit 0' TERM; while :; do sleep 0.05; done"));
        api.stop(id, "cooperative").expect(200);

        api.awaitExit(id);
        assertThat(api.attempt(id)).containsEntry("stop_requested", "cooperative");
        assertThat(api.evidenceKinds(id)).contains("stop.requested", "signal.term");
    }

    @Test
    void aFullErrorStreamDoesNotHoldUpTheOther() {
        String id = api.prepared(aLaunch().script("head -c 200000 /dev/zero >&2; echo ok"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT, STDERR);

            assertThat(stream.count(STDERR)).isEqualTo(200_000);
            assertThat(stream.text(STDOUT)).isEqualTo("ok\n");
        }
    }

    @Test
    void aCharacterThatArrivesInPartsIsWhole() {
        String id = api.prepared(aLaunch().script("printf 'x\\342'; sleep 0.1; printf '\\200\\224y'"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT);

            assertThat(stream.text(STDOUT)).isEqualTo("x—y");
        }
    }

    @Test
    void bytesAreEqualThroughEveryWayOut() throws Exception {
        Path file = scratch("bytes").resolve("random");
        byte[] random = new byte[1 << 20];
        new java.util.Random(7).nextBytes(random);
        random[0] = (byte) 0xff;
        random[1] = (byte) 0xfe;
        random[2] = 0;
        Files.write(file, random);
        String wanted = CanonicalJson.sha256(random);
        String streamed = api.prepared(aLaunch().of("cat", file.toString()));
        try (StreamClient stream = StreamClient.attach(api, streamed)) {
            api.start(streamed).expect(200);
            stream.awaitEnds(STDOUT, STDERR);
            assertThat(CanonicalJson.sha256(stream.bytes(STDOUT))).isEqualTo(wanted);
        }
        // A log keeps the newest of a bounded count of bytes and lines; this one keeps all.
        Map<String, Object> whole = Map.of(
                "recipient",
                "log",
                "truncation",
                Map.of("on", Map.of("bytes", 2_097_152L, "lines", 1_000_000L, "keep", "tail")));
        String id = api.started(aLaunch().of("cat", file.toString()).with("output", whole));
        Answer log = Await.value(
                "the log is whole",
                () -> api.get(Api.ATTEMPTS + "/" + id + "/logs?stream=stdout"),
                answer -> answer.body().length == random.length);
        assertThat(CanonicalJson.sha256(log.body())).isEqualTo(wanted);

        String polled = api.prepared(aLaunch().of("cat", file.toString()));
        long generation = api.attach(polled).number("generation");
        api.start(polled).expect(200);
        assertThat(CanonicalJson.sha256(poll(polled, generation))).isEqualTo(wanted);
    }

    private byte[] poll(String id, long generation) {
        var out = new java.io.ByteArrayOutputStream();
        String path = Api.ATTEMPTS + "/" + id;
        long after = 0;
        boolean ended = false;
        while (!ended) {
            Answer answer = api.get(path + "/output?generation=" + generation + "&after=" + after + "&wait=20")
                    .expect(200);
            for (Map<String, Object> chunk : Json.objects(answer.json(), "chunks")) {
                if ("stdout".equals(chunk.get("stream"))) {
                    out.writeBytes(java.util.Base64.getDecoder().decode((String) chunk.get("data")));
                    ended |= (Boolean) chunk.get("eof");
                }
            }
            after = answer.number("consumed_through");
            api.post(path + "/ack", Map.of("generation", generation, "consumed_through", after))
                    .expect(200);
        }
        return out.toByteArray();
    }

    @Test
    void theChildSeesTheEnvironmentsBytes() throws Exception {
        Path seen = scratch("environment").resolve("seen");
        Map<String, String> values = Map.of(
                "EMPTY", "",
                "LINE", "one\ntwo\n",
                "EQUALS", "a=b=c",
                "SPACES", "  ends  ",
                "SHELL_TEXT", "$HOME `id` $(id) \\ ' \"",
                "UNICODE", "é≤😀");
        LaunchRequests launch = aLaunch()
                .of(
                        "sh",
                        "-c",
                        "cp /proc/self/environ \"$1\"; mv \"$1\" \"$2\"",
                        "sh",
                        seen + ".part",
                        seen.toString());
        values.forEach(launch::environment);
        String id = api.started(launch);
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));

        List<String> entries = List.of(new String(Files.readAllBytes(seen), StandardCharsets.UTF_8).split("\0"));
        values.forEach((name, value) -> assertThat(entries).contains(name + "=" + value));
        assertThat(entries.stream()
                        .map(entry -> entry.substring(0, entry.indexOf('=')))
                        .filter(name -> !values.containsKey(name)))
                .as("what Berth adds, and what the shell does")
                .contains("HOME", "PATH", "BERTH_ATTEMPT_KEY")
                .isSubsetOf("HOME", "PATH", "BERTH_ATTEMPT_KEY", "PWD", "OLDPWD", "SHLVL", "_");
    }

    @Test
    void anArgumentOf131071BytesWorksAndOneMoreIsRefused() throws Exception {
        Path seen = scratch("argument").resolve("count");
        String longest = "x".repeat(131_071);
        String id = api.started(aLaunch().of("sh", "-c", "printf %s \"$1\" | wc -c > '" + seen + "'", "sh", longest));
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        assertThat(Files.readString(seen).strip()).isEqualTo("131071");

        LaunchRequests over = aLaunch().of("echo", longest + "x");
        assertThat(api.prepare(over).expectProblem(400, "INVALID").text("error"))
                .contains("launch.argv");
        api.status(over.attemptId()).expectProblem(404, "NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3", "4", "5"})
    void whatTheKernelDoesNotRunIsRefusedWithItsReasonAndNeverRunByAShell(int which) throws Exception {
        Path directory = scratch("unrunnable");
        Path mark = directory.resolve("mark");
        Path file = directory.resolve("program");
        String shell = "touch '" + mark + "'\n";
        switch (which) {
            case 0 -> Files.writeString(file, shell);
            case 1 -> Files.writeString(file, "#!/bin/nonexistent\n" + shell);
            case 2 -> Files.writeString(file, "");
            case 3 -> Files.createDirectory(file);
            case 4 -> Files.writeString(file, "#!/bin/sh\n" + shell);
            default -> {
                byte[] elf = Files.readAllBytes(Path.of("/bin/true").toRealPath());
                elf[18] = 0x16; // e_machine: IBM S/390
                elf[19] = 0;
                Files.write(file, elf);
            }
        }
        Files.setPosixFilePermissions(
                file, java.nio.file.attribute.PosixFilePermissions.fromString(which == 4 ? "rw-r--r--" : "rwxr-xr-x"));
        LaunchRequests launch = aLaunch().of(file.toString());
        Answer prepared = api.prepare(launch);
        if (prepared.status() == 201) {
            Answer started = api.start(launch.attemptId());
            assertThat(started.status()).as(started.text()).isIn(400, 409, 422);
            started.expectNothingInternal();
            assertThat(api.attempt(launch.attemptId()))
                    .containsEntry("execution_state", "exited")
                    .containsEntry("exit_source", "not_started");
            assertThat(api.evidenceKinds(launch.attemptId())).contains("child.not_started");
            api.cleanUp(launch.attemptId()).expect(200);
        } else {
            prepared.expectProblem(404, "NOT_FOUND");
            assertThat(prepared.text("error"))
                    .contains("launch.executable", which == 3 ? "directory" : "not executable");
        }
        assertThat(mark).doesNotExist();
    }

    @Test
    void fiftyParallelStartsOfOneKeyRunOneChild() throws Exception {
        Path lines = scratch("parallel").resolve("lines");
        LaunchRequests launch = aLaunch().script("echo line >> '" + lines + "'");
        try (ExecutorService many = Executors.newFixedThreadPool(50)) {
            List<Callable<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(() -> {
                    Answer prepared = api.prepare(launch);
                    assertThat(prepared.status()).as(prepared.text()).isIn(200, 201);
                    return api.start(prepared.text("attempt_id"));
                });
            }
            for (Future<Answer> call : many.invokeAll(calls)) {
                assertThat(call.get().expect(200).at("attempt_id")).isEqualTo(launch.attemptId());
            }
        }
        api.awaitExit(launch.attemptId());
        assertThat(Files.readString(lines)).isEqualTo("line\n");
        api.prepare(launch).expect(200);
        api.prepare(launch.environment("OTHER", "body")).expectProblem(409, "CONFLICT");
    }
}
