package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.Test;

/** A wrong field is refused by its name and leaves nothing behind. Source: api.md, Errors. */
class SessionBadInputIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Path directory = server.directory("bad");

    /** One wrong value of a field; the field's name is in the sentence. */
    private record Wrong(String field, Object value, String named) {
        Wrong(String field, Object value) {
            this(field, value, field);
        }

        Map<String, Object> in(Map<String, ?> right) {
            Map<String, Object> tree = new HashMap<>(right);
            tree.put(field, value);
            return tree;
        }
    }

    private static final List<Wrong> OF_A_SESSION = List.of(
            new Wrong("cwd", 5L),
            new Wrong("cwd", null),
            new Wrong("cwd", "/" + "x".repeat(5000)),
            new Wrong("cwd", "/a\0b"),
            new Wrong("cwd", List.of("/")),
            new Wrong("truncation", "of"),
            new Wrong("truncation", null),
            new Wrong("truncation", 5L),
            new Wrong("truncation", Map.of()),
            new Wrong("truncation", Map.of("on", 5L)),
            new Wrong("truncation", Map.of("on", Map.of(), "off", true)),
            new Wrong("truncation", Map.of("on", Map.of("bytes", -1L)), "truncation.on.bytes"),
            new Wrong("truncation", Map.of("on", Map.of("bytes", (1L << 30) + 1)), "truncation.on.bytes"),
            new Wrong("truncation", Map.of("on", Map.of("bytes", "1")), "truncation.on.bytes"),
            new Wrong("truncation", Map.of("on", Map.of("lines", 1L << 31)), "truncation.on.lines"),
            new Wrong("truncation", Map.of("on", Map.of("lines", true)), "truncation.on.lines"),
            new Wrong("truncation", Map.of("on", Map.of("keep", "middle")), "truncation.on.keep"),
            new Wrong("truncation", Map.of("on", Map.of("keep", 1L)), "truncation.on.keep"),
            new Wrong("truncation", Map.of("on", Map.of("byte", 1L)), "truncation.on"),
            new Wrong("toolBlockingBudgetMs", -1L),
            new Wrong("toolBlockingBudgetMs", 600_001L),
            new Wrong("toolBlockingBudgetMs", "5"),
            new Wrong("toolBlockingBudgetMs", null),
            new Wrong("kernelTransport", ""),
            new Wrong("kernelTransport", 5L),
            new Wrong("kernelTransport", "a b"),
            new Wrong("kernelTransport", List.of("docker", "run")),
            new Wrong("placement", "podman"),
            new Wrong("placement", 5L),
            new Wrong("parent", ""),
            new Wrong("parent", 5L),
            new Wrong("workspace", "own"),
            new Wrong("workspace", 5L),
            new Wrong("argvPrefix", List.of("docker")),
            new Wrong("mounts", List.of()));

    @Test
    void everyWrongFieldOfASessionIsNamedAndNoSessionIsThere() {
        List<Object> before = sessions();
        OF_A_SESSION.forEach(wrong ->
                assertInvalid(api.post(Session.ROUTE, wrong.in(Map.of("cwd", directory.toString()))), wrong.named()));
        Session.ask(api, directory, "parent", "session-nothing").expectProblem(404, "NOT_FOUND");
        assertThat(sessions()).isEqualTo(before);
    }

    private List<Object> sessions() {
        return Json.objects(api.get(Session.ROUTE + "?limit=500").expect(200).json(), "sessions").stream()
                .filter(session -> directory.toString().equals(session.get("cwd")))
                .map(session -> session.get("sessionId"))
                .toList();
    }

    @Test
    void everyWrongFieldOfACommandIsNamedAndNothingRuns() {
        Session session = Session.open(api, directory);
        List<Wrong> faults = List.of(
                new Wrong("command", null),
                new Wrong("command", 5L),
                new Wrong("command", ""),
                new Wrong("command", " \n"),
                new Wrong("command", "touch a\0b"),
                new Wrong("command", "x".repeat(120_001)),
                new Wrong("command", "touch a; : " + "é".repeat(119_000)),
                new Wrong("command", List.of("touch", "a")),
                new Wrong("wait", "no"),
                new Wrong("wait", null),
                new Wrong("timeout", 5L));
        faults.forEach(wrong ->
                assertInvalid(session.post("/bash", wrong.in(Map.of("command", "touch a"))), wrong.named()));
        assertInvalid(session.post("/bash", Map.of()), "command");

        assertThat(session.jobs()).isEmpty();
        assertThat(session.documents()).isEmpty();
        assertThat(directory.resolve("a")).doesNotExist();
        assertThat(session.bash(": " + "x".repeat(119_998)).json()).containsEntry("exitCode", 0L);
    }

    @Test
    void everyWrongFieldOfAnEntryIsNamedAndNoEntryIsThere() {
        Session session = Session.open(api, directory);
        List<Wrong> faults = List.of(
                new Wrong("kind", null),
                new Wrong("kind", 5L),
                new Wrong("kind", ""),
                new Wrong("kind", " "),
                new Wrong("kind", "k".repeat(161)),
                new Wrong("body", null),
                new Wrong("body", "text"),
                new Wrong("body", List.of()),
                new Wrong("parent", "x"));
        Map<String, Object> right = Map.of("kind", "message", "body", Map.of("a", 1L));
        faults.forEach(wrong -> assertInvalid(session.post("/entries", wrong.in(right)), wrong.named()));
        assertInvalid(session.post("/entries", Map.of("kind", "message")), "body");
        assertInvalid(session.post("/entries", Map.of("body", Map.of())), "kind");
        assertThat(session.entries()).isEmpty();
        session.post("/entries", Map.of("kind", "k".repeat(160), "body", Map.of()))
                .expect(201);
    }

    @Test
    void everyWrongFieldOfTheOtherRoutesIsNamedAndNothingChanges() {
        Session session = Session.open(api, directory);
        String entry = session.append("one");
        String job = session.job("sleep 300");
        Map<String, Object> before = session.show().json();
        for (String verb : List.of("navigate", "fork")) {
            assertInvalid(session.post("/" + verb, Map.of()), "entryId");
            assertInvalid(session.post("/" + verb, Map.of("entryId", 1L)), "entryId");
            assertInvalid(session.post("/" + verb, Map.of("entryId", "a b")), "entryId");
            assertInvalid(session.post("/" + verb, Map.of("entryId", entry, "force", true)), "force");
        }
        assertInvalid(session.post("/jobs/" + job + "/wait", Map.of("timeoutMs", -1L)), "timeoutMs");
        assertInvalid(session.post("/jobs/" + job + "/wait", Map.of("timeoutMs", 600_001L)), "timeoutMs");
        assertInvalid(session.post("/jobs/" + job + "/wait", Map.of("timeoutMs", "5")), "timeoutMs");
        assertInvalid(session.post("/jobs/" + job + "/wait", Map.of("timeout", 5L)), "timeout");
        assertInvalid(session.post("/jobs/" + job + "/cancel", Map.of("force", true)), "force");
        assertInvalid(session.post("/reopen", Map.of("cwd", 5L)), "cwd");
        assertInvalid(session.post("/reopen", Map.of("directory", "/")), "directory");
        assertInvalid(api.get(session.path("/entries?after=-1")), "after");
        assertInvalid(api.get(session.path("/entries?after=x")), "after");
        assertInvalid(api.get(session.path("/entries?limit=0")), "limit");
        assertInvalid(api.get(session.path("/entries?limit=501")), "limit");
        assertInvalid(api.get(Session.ROUTE + "?limit=0"), "limit");
        assertInvalid(api.get(Session.ROUTE + "?limit=many"), "limit");
        assertInvalid(api.raw("DELETE", session.path("?outcome=" + "o".repeat(1001)), null, new byte[0]), "outcome");
        assertThat(session.show().json()).isEqualTo(before);
        assertThat(session.running()).containsExactly(job);
        session.cancel(job);
    }

    @Test
    void aBodyThatIsNoStrictJsonObjectIsInvalid() {
        Session session = Session.open(api, directory);
        for (String body : List.of("[]", "{", "{\"command\":\"touch a\"}x", "{\"command\":\"a\",\"command\":\"b\"}")) {
            for (String path : List.of(Session.ROUTE, session.path("/bash"), session.path("/entries"))) {
                api.raw("POST", path, "application/json", body.getBytes(StandardCharsets.UTF_8))
                        .expectProblem(400, "INVALID");
            }
        }
        api.raw("POST", session.path("/bash"), "text/plain", "touch a".getBytes(StandardCharsets.UTF_8))
                .expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
        assertThat(session.jobs()).isEmpty();
    }

    @Test
    void aSessionIdThatIsNoneIsNotFound() {
        for (String id : List.of("nothing", "%00", "a%0ab", "x".repeat(2000), "..%2f..")) {
            for (String rest : List.of("", "/jobs", "/state", "/prompt", "/entries", "/events")) {
                Answer answer = api.get(Session.ROUTE + "/" + id + rest);
                assertThat(answer.status()).as(answer.request() + answer.text()).isBetween(400, 499);
                answer.expectNothingInternal();
            }
        }
    }

    private static void assertInvalid(Answer answer, String field) {
        assertThat(answer.expectProblem(400, "INVALID").text("error"))
                .as(answer.request())
                .contains(field);
    }
}
