package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.Test;

/** Sessions: where they may be opened, whose they are, and how they end and open again. */
class SessionIT {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 5;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void aSessionIsOpenedInItsDirectoryWithTheSettingsThatWereAskedFor() {
        Path directory = server.directory("session");
        Answer opened = Session.ask(
                        api,
                        directory,
                        "truncation",
                        Map.of("on", Map.of("bytes", 7L, "lines", 3L, "keep", "head")),
                        "toolBlockingBudgetMs",
                        1234L)
                .expect(201);

        assertThat(opened.json())
                .containsEntry("cwd", directory.toString())
                .containsEntry("state", "open")
                .containsEntry("truncation", Map.of("on", Map.of("bytes", 7L, "lines", 3L, "keep", "head")))
                .containsEntry("toolBlockingBudgetMs", 1234L)
                .containsEntry("workspace", "shared")
                .containsEntry("entries", 0L)
                .containsEntry("parent", null)
                .containsEntry("kernelTransport", null)
                .containsEntry("head", null)
                .containsEntry("outcome", null)
                .containsEntry("handBack", null);
        Session session = new Session(api, opened.text("sessionId"));
        assertThat(session.show().expect(200).json()).isEqualTo(opened.json());
        assertThat(api.get(Session.ROUTE + "?limit=500").expect(200).text()).contains(session.id());
    }

    @Test
    void aSessionThatAsksForNothingElseHasTheDefaults() {
        Map<String, Object> opened =
                Session.ask(api, server.directory("session")).expect(201).json();
        assertThat(opened)
                .containsEntry("truncation", Map.of("on", Map.of("bytes", 51_200L, "lines", 2_000L, "keep", "tail")))
                .containsEntry("toolBlockingBudgetMs", 30_000L);
    }

    @Test
    void everyWrongDirectoryIsRefusedWithItsOwnSentence() throws Exception {
        Path directory = server.directory("session");
        Path file = server.give(Files.createFile(directory.resolve("file")));
        Path gone = directory.resolve("gone");
        Map<Object, String> sentences = new LinkedHashMap<>();
        sentences.put("", "a session needs a working directory");
        sentences.put(gone.toString(), "working directory " + gone + " is gone");
        sentences.put(file.toString(), "working directory " + file + " is not a directory");
        sentences.put("src", "working directory src is not an absolute path");
        sentences.put(".", "working directory . is not an absolute path");

        assertThat(Session.ask(api, null).expectProblem(400, "INVALID").text("error"))
                .isEqualTo("a session needs a working directory");
        sentences.forEach((cwd, sentence) -> assertThat(api.post(Session.ROUTE, Map.of("cwd", cwd))
                        .expectProblem(400, "INVALID")
                        .text("error"))
                .isEqualTo(sentence));
    }

    @Test
    void whoHasNoRightToADirectoryIsDenied() {
        Path directory = server.directory("session");
        String owner = owner();
        Api other = api.with(server.issueToken(owner));

        assertThat(Session.ask(other, directory).expectProblem(403, "DENIED").text("error"))
                .contains(directory.toString(), "grant");
        assertThat(other.get(Session.ROUTE).expect(200).at("sessions")).isEqualTo(List.of());

        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("root", directory.toString());
        wish.put("subpath", "");
        wish.put("access", "write");
        wish.put("purpose", "project");
        wish.put("subject", owner);
        String grant = api.post("/api/placement/grants", wish).expect(201).text("grant_ref");
        Session session = Session.open(other, directory);
        assertThat(session.bash("pwd -P").json()).containsEntry("exitCode", 0L);

        api.post("/api/placement/grants/" + grant + "/revoke").expect(200);
        session.post("/bash", Map.of("command", "touch late")).expectProblem(403, "DENIED");
        assertThat(directory.resolve("late")).doesNotExist();
        assertThat(session.running()).isEmpty();
    }

    @Test
    void noSessionWorksInTheServersOwnState() {
        Session.ask(api, server.home()).expectProblem(403, "DENIED");
        Session.ask(api, Path.of("/")).expectProblem(403, "DENIED");
    }

    @Test
    void anotherOwnersSessionIsNotFoundEverywhere() {
        Session session = Session.open(api, server.directory("session"));
        String entry = session.append("mine");
        String job = session.job("sleep 300");
        Api other = api.with(server.issueToken(owner()));
        Session seen = session.with(other);

        List<Answer> answers = List.of(
                seen.show(),
                seen.end(),
                seen.post("/reopen", Map.of()),
                seen.post("/entries", Map.of("kind", "message", "body", Map.of())),
                other.get(seen.path("/entries")),
                seen.move("navigate", entry),
                seen.move("fork", null),
                seen.post("/bash", Map.of("command", "true")),
                other.get(seen.path("/jobs")),
                other.get(seen.path("/jobs/" + job)),
                seen.post("/jobs/" + job + "/wait", Map.of()),
                seen.post("/jobs/" + job + "/cancel", Map.of()),
                other.get(seen.path("/state")),
                other.get(seen.path("/prompt")),
                other.get(seen.path("/events")),
                Session.ask(other, null, "parent", session.id()));
        answers.forEach(answer -> answer.expectProblem(404, "NOT_FOUND"));
        assertThat(other.get(Session.ROUTE + "?limit=500").expect(200).text()).doesNotContain(session.id());
        assertThat(session.running()).containsExactly(job);
        assertThat(session.entries()).hasSize(1);
        session.cancel(job);
    }

    @Test
    void anEndedSessionTakesNothingUntilItIsOpenedAgain() {
        Session session = Session.open(api, server.directory("session"));
        String entry = session.append("before");
        String job = session.job("echo $$ > pid; sleep 300");
        long pid = pid(session);

        Map<String, Object> ended = api.raw("DELETE", session.path("?outcome=enough"), null, new byte[0])
                .expect(200)
                .json();
        assertThat(ended).containsEntry("state", "ended").containsEntry("outcome", "enough");
        assertThat(Proc.lives(pid)).isFalse();
        assertThat(session.end().expect(200).json()).isEqualTo(ended);
        session.post("/bash", Map.of("command", "true")).expectProblem(409, "CONFLICT");
        session.post("/entries", Map.of("kind", "message", "body", Map.of())).expectProblem(409, "CONFLICT");
        session.move("navigate", null).expectProblem(409, "CONFLICT");
        api.get(session.path("/events")).expectProblem(409, "CONFLICT");

        Map<String, Object> open = session.post("/reopen", Map.of()).expect(200).json();
        assertThat(open)
                .containsEntry("state", "open")
                .containsEntry("outcome", null)
                .containsEntry("head", entry);
        assertThat(session.running()).doesNotContain(job);
        assertThat(session.documents()).isEmpty();
        assertThat(session.entries()).extracting(each -> each.get("entryId")).containsExactly(entry);
        assertThat(session.bash("pwd -P; exit 5").json()).containsEntry("exitCode", 5L);
    }

    @Test
    void aReopenNeedsTheDirectoryToBeThere() throws Exception {
        Path directory = server.directory("session");
        Session session = Session.open(api, directory);
        session.end().expect(200);
        Files.delete(directory);

        assertThat(session.post("/reopen", Map.of())
                        .expectProblem(400, "INVALID")
                        .text("error"))
                .isEqualTo("working directory " + directory + " is gone");
        assertThat(session.show().at("state")).isEqualTo("ended");

        Path other = server.directory("other");
        assertThat(session.post("/reopen", Map.of("cwd", other.toString()))
                        .expect(200)
                        .text("cwd"))
                .isEqualTo(other.toString());
        assertThat(session.bash("pwd -P").json()).containsEntry("output", other.toRealPath() + "\n");
        session.post("/reopen", Map.of("cwd", server.directory("third").toString()))
                .expectProblem(409, "CONFLICT");
    }

    @Test
    void theEndOfAParentEndsItsChildrenFirst() {
        Path directory = server.directory("session");
        Session parent = Session.open(api, directory);
        Session child = Session.open(api, null, "parent", parent.id());
        Session grandchild = Session.open(api, null, "parent", child.id());
        assertThat(grandchild.show().at("cwd")).isEqualTo(directory.toString());
        grandchild.job("echo $$ > pid; sleep 300");
        long pid = pid(grandchild);

        parent.end().expect(200);

        assertThat(Proc.lives(pid)).isFalse();
        for (Session each : List.of(child, grandchild)) {
            assertThat(each.show().json()).containsEntry("state", "ended").containsEntry("outcome", "its parent ended");
        }
        assertThat(child.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry).containsEntry("kind", "notice"));
        assertThat(parent.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.get("body").toString()).contains("child_ended", child.id()));
        parent.post("/reopen", Map.of()).expect(200);
        child.end();
        Session.ask(api, null, "parent", child.id()).expectProblem(409, "CONFLICT");
    }

    @Test
    void anEndLeavesNothingOfTheCommandsThatStartMeanwhile() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Session session = Session.open(api, server.directory("session"));
            AtomicInteger started = new AtomicInteger();
            try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<Answer>> refusals = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    refusals.add(clients.submit(() -> startUntilRefused(session, started)));
                }
                Await.until("commands start", () -> started.get() >= CLIENTS);
                Await.until("the session has ended", () -> session.end().status() == 200);
                for (Future<Answer> refusal : refusals) {
                    refusal.get().expectProblem(409, "CONFLICT");
                }
            }
            Await.until(
                    "no process of " + session.id(),
                    () -> Proc.withEnvironment("BERTH_SESSION_ID=" + session.id())
                            .isEmpty());
        }
    }

    private static Answer startUntilRefused(Session session, AtomicInteger started) {
        while (true) {
            Answer answer = session.post("/bash", Map.of("command", "exec sleep 300", "wait", false));
            if (answer.status() != 200) {
                return answer;
            }
            started.incrementAndGet();
        }
    }

    private static String owner() {
        return "sessions-" + UUID.randomUUID();
    }

    /** What a command of the session wrote to {@code pid}. */
    private static long pid(Session session) {
        Path file = Path.of(session.show().text("cwd")).resolve("pid");
        return Long.parseLong(Await.value(
                        "a pid in " + file,
                        () -> Files.exists(file) ? Files.readString(file) : "",
                        text -> text.endsWith("\n"))
                .strip());
    }
}
