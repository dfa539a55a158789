package org.berth.acceptance.harness;

import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.Json;

/** One session over its routes, called with one token. */
record Session(Api api, String id) {
    static final String ROUTE = "/api/harness/sessions";

    /** Asks for a session in {@code cwd} (null for none), with {@code more} as names and values. */
    static Answer ask(Api api, Path cwd, Object... more) {
        return api.post(ROUTE, tree(cwd, more));
    }

    static Session open(Api api, Path cwd, Object... more) {
        return new Session(api, ask(api, cwd, more).expect(201).text("sessionId"));
    }

    private static Map<String, Object> tree(Path cwd, Object... more) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (cwd != null) {
            tree.put("cwd", cwd.toString());
        }
        for (int i = 0; i < more.length; i += 2) {
            tree.put((String) more[i], more[i + 1]);
        }
        return tree;
    }

    /** The same session, called with another token or after a restart. */
    Session with(Api other) {
        return new Session(other, id);
    }

    String path(String rest) {
        return ROUTE + "/" + id + rest;
    }

    Answer show() {
        return api.get(path(""));
    }

    /** Ends it. */
    Answer end() {
        return api.raw("DELETE", path(""), null, new byte[0]);
    }

    Answer post(String rest, Map<String, ?> body) {
        return api.post(path(rest), body);
    }

    /** Runs a command and waits, within the budget. */
    Answer bash(String command) {
        return post("/bash", Map.of("command", command)).expect(200);
    }

    /** Starts a command as a job; its id. */
    String job(String command) {
        return post("/bash", Map.of("command", command, "wait", false))
                .expect(200)
                .text("detached", "job");
    }

    Answer await(String job) {
        return post("/jobs/" + job + "/wait", Map.of()).expect(200);
    }

    /** The answer that told the end, asked for as often as the budget needs. */
    Answer awaitEnd(String job) {
        return Await.value("the end of " + job, () -> await(job), answer -> answer.at("detached") == null);
    }

    Answer cancel(String job) {
        return post("/jobs/" + job + "/cancel", Map.of()).expect(200);
    }

    /** A job with its output. */
    Map<String, Object> job(String job, int status) {
        return api.get(path("/jobs/" + job)).expect(status).json();
    }

    List<Map<String, Object>> jobs() {
        return Json.objects(api.get(path("/jobs")).expect(200).json(), "jobs");
    }

    /** The ids of the jobs that run, in the order of their starts. */
    List<Object> running() {
        return jobs().stream()
                .filter(job -> "running".equals(job.get("state")))
                .map(job -> job.get("job"))
                .toList();
    }

    /** Appends an entry; its id. */
    String append(String text) {
        return post("/entries", Map.of("kind", "message", "body", Map.of("text", text)))
                .expect(201)
                .text("entryId");
    }

    List<Map<String, Object>> entries() {
        return Json.objects(api.get(path("/entries")).expect(200).json(), "entries");
    }

    /** @param entry null for before every entry */
    Answer move(String verb, String entry) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("entryId", entry);
        return post("/" + verb, body);
    }

    /** The keys of the committed job documents. */
    List<Object> documents() {
        return Json.objects(api.get(path("/state")).expect(200).json(), "documents").stream()
                .filter(document -> "berth.job".equals(document.get("type")))
                .map(document -> document.get("key"))
                .toList();
    }

    /** The prompt's sections by name. */
    Map<Object, Object> prompt() {
        Map<Object, Object> sections = new LinkedHashMap<>();
        Json.objects(api.get(path("/prompt")).expect(200).json(), "sections")
                .forEach(section -> sections.put(section.get("name"), section.get("text")));
        return sections;
    }

    /** The kept bytes of an answer or a job. */
    static byte[] kept(Map<String, Object> output) {
        return Base64.getDecoder().decode((String) output.get("outputBase64"));
    }
}
