package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A killed server loses no job of a session: no byte, no exit code, and not the entry that it started after. */
class SessionCrashIT {
    private static final int JOBS = 12;
    private static final int LINES = 3_000;

    private static BerthServer server;

    @BeforeAll
    static void start() {
        server = BerthServer.create("session-kill").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void jobsGoOnAndAreFoundWithEveryByteOnceAndTheirExitCodes() throws Exception {
        Path directory = server.directory("jobs");
        Session before = Session.open(server.api(), directory, "truncation", "off");
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            jobs.add(before.job("echo $$ >> starts." + i + "; seq -f '" + i + " %06.0f' 1 " + LINES
                    + "; while [ ! -e go." + i % 3 + " ]; do sleep 0.2; done; seq -f '" + i + " %06.0f' " + (LINES + 1)
                    + " " + 2 * LINES + "; exit " + (100 + i)));
        }
        for (int i = 0; i < JOBS; i++) {
            awaitFile(directory.resolve("starts." + i));
        }
        // Some wrote before the kill, some end while no server is there, and some go on after it is back.
        Files.createFile(directory.resolve("go.0"));
        before.awaitEnd(jobs.get(0));
        server.kill9();
        Files.createFile(directory.resolve("go.1"));
        for (int i = 1; i < JOBS; i += 3) {
            awaitGone(directory.resolve("starts." + i));
        }
        server.start();

        Session after = before.with(server.api());
        List<Object> found = after.jobs().stream().map(job -> job.get("job")).toList();
        assertThat(found).as("one that ended under the former server").contains(jobs.getFirst());
        for (int i = 2; i < JOBS; i += 3) {
            assertThat(found).contains(jobs.get(i));
            assertThat(after.job(jobs.get(i), 200))
                    .containsEntry("state", "running")
                    .containsEntry("startedAfterEntry", 0L);
        }
        Await.until(
                "documents of the running jobs alone",
                () -> IntStream.range(0, JOBS)
                        .filter(i -> i % 3 != 2)
                        .noneMatch(i -> after.documents().contains(jobs.get(i))));
        Files.createFile(directory.resolve("go.2"));
        for (int i = 2; i < JOBS; i += 3) {
            Map<String, Object> end = after.awaitEnd(jobs.get(i)).json();
            assertThat(end).as("job %s", i).containsEntry("exitCode", 100L + i).containsEntry("droppedBytes", 0L);
            assertThat(end.get("output")).as("output of %s", i).isEqualTo(lines(i));
        }
        for (int i = 0; i < JOBS; i++) {
            assertThat(directory.resolve("starts." + i)).content().hasLineCount(1);
        }
        assertThat(after.jobs()).extracting(job -> job.get("job")).containsExactlyElementsOf(jobs);
        Await.until("no document", () -> after.documents().isEmpty());
        assertThat(after.prompt()).isEmpty();
    }

    private static String lines(int job) {
        return IntStream.rangeClosed(1, 2 * LINES)
                .mapToObj(line -> "%d %06d\n".formatted(job, line))
                .collect(Collectors.joining());
    }

    @Test
    void theNamesThatWereSavedAreThereAfterTheServersKill() {
        Session before = Session.open(server.api(), server.directory("names"));
        before.post("/cells", Map.of("code", "x = 'kept'")).expect(200);
        Path snapshot = server.home().resolve("harness").resolve(before.id()).resolve("namespace.snapshot");
        Await.until("the names are saved", () -> Files.exists(snapshot));
        server.kill9();
        Path discarded = leftByAHandBack();
        server.start();
        Session after = before.with(server.api());
        Await.until("what a hand-back left is removed", () -> Files.notExists(discarded));
        assertThat(after.post("/cells", Map.of("code", "x")).expect(200).json())
                .containsEntry("result", "'kept'")
                .containsKey("diagnostic");
        after.end().expect(200);
    }

    /** A copy that was put aside by a server that then died. */
    private static Path leftByAHandBack() {
        Path discarded = server.home().resolve("discarded/3f1d");
        try {
            Files.createDirectories(discarded.resolve("deep"));
            Files.writeString(discarded.resolve("deep/file"), "of a child");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.give(discarded.getParent());
        return discarded;
    }

    @Test
    void jobsThatSurvivedAreRewoundByTheEntryStoredBeforeTheirSpawn() throws Exception {
        Path directory = server.directory("rewind");
        Session before = Session.open(server.api(), directory);
        String beforeAll = before.job("sleep 300");
        String first = before.append("one");
        String afterFirst = before.job("sleep 300");
        String second = before.append("two");
        String afterSecond = before.job("sleep 300");

        server.kill9();
        server.start();

        Session after = before.with(server.api());
        String third = after.append("three");
        String fresh = after.job("sleep 300");
        assertThat(startedAfter(after)).isEqualTo(Map.of(beforeAll, 0L, afterFirst, 1L, afterSecond, 2L, fresh, 3L));
        assertThat(after.move("navigate", third).expect(200).at("stoppedJobs")).isEqualTo(List.of(fresh));
        assertThat(after.move("fork", second).expect(200).at("stoppedJobs")).isEqualTo(List.of(afterSecond));
        assertThat(after.running()).containsExactlyInAnyOrder(beforeAll, afterFirst);
        assertThat(after.move("navigate", first).expect(200).at("stoppedJobs")).isEqualTo(List.of(afterFirst));
        assertThat(after.cancel(beforeAll).json()).containsEntry("killed", true);
        assertThat(Proc.withEnvironment("BERTH_SESSION_ID=" + after.id())).isEmpty();
    }

    private static Map<Object, Object> startedAfter(Session session) {
        Map<Object, Object> entries = new HashMap<>();
        session.jobs().forEach(job -> entries.put(job.get("job"), job.get("startedAfterEntry")));
        return entries;
    }

    @Test
    void aJobThatEndedWhileNoServerWasThereHasNoDocumentLeftWhateverIsAskedFirst() throws Exception {
        Path directory = server.directory("meanwhile");
        Session before = Session.open(server.api(), directory);
        Session untouched = Session.open(server.api(), directory);
        List<String> jobs = new ArrayList<>();
        for (Session each : List.of(before, untouched)) {
            String job = each.job(
                    "echo $$ > starts." + each.id() + "; echo seen; while [ ! -e go ]; do sleep 0.1; done; exit 7");
            jobs.add(job);
            awaitFile(directory.resolve("starts." + each.id()));
            Await.until("its document", () -> each.documents().equals(List.of(job)));
        }
        server.kill9();
        Files.createFile(directory.resolve("go"));
        awaitGone(directory.resolve("starts." + before.id()));
        awaitGone(directory.resolve("starts." + untouched.id()));
        server.start();

        Session after = before.with(server.api());
        after.jobs();
        Await.until("no document", () -> after.documents().isEmpty());
        assertThat(after.prompt()).isEmpty();
        assertThat(after.running()).isEmpty();
        assertThat(after.await(jobs.getFirst()).json())
                .containsEntry("exitCode", 7L)
                .containsEntry("output", "seen\n");
        Session asked = untouched.with(server.api());
        Await.until("its end is known", () -> asked.prompt().isEmpty());
        Await.until("no document", () -> asked.documents().isEmpty());
    }

    @Test
    void anEndOfASessionStopsWhatSurvivedAndTheEventsTellOfIt() throws Exception {
        Path directory = server.directory("end");
        Session before = Session.open(server.api(), directory);
        String job = before.job("echo out; echo $$ > starts; sleep 300");
        awaitFile(directory.resolve("starts"));
        server.kill9();
        server.start();

        Session after = before.with(server.api());
        try (SessionEventClient events = new SessionEventClient(after)) {
            assertThat(Json.objects(events.events().getFirst().data(), "jobs"))
                    .singleElement()
                    .satisfies(
                            each -> assertThat(each).containsEntry("job", job).containsEntry("state", "running"));
            after.end().expect(200);
            assertThat(events.await("its end", event -> event.isOf("job_end", job))
                            .getLast()
                            .data())
                    .containsEntry("killed", true)
                    .containsEntry("producedBytes", 4L);
        }
        awaitGone(directory.resolve("starts"));
    }

    private static void awaitFile(Path file) {
        Await.until(
                file + " is there",
                () -> Files.exists(file) && Files.readString(file).endsWith("\n"));
    }

    private static void awaitGone(Path file) throws IOException {
        long pid = Long.parseLong(Files.readString(file).strip());
        Await.until("process " + pid + " is gone", () -> !Proc.lives(pid));
    }
}
