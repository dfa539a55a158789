package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where no secret may be after a run of every driver. The programs that cannot be had here are recorded. */
class CanarySecretsIT {
    private static final String LOGIN = "canary-login-" + UUID.randomUUID();

    private final AgentHost host = new AgentHost("canaries");
    private final RecordingProgram agy = new RecordingProgram(host.server, "agy");
    private final RecordingProgram grok = new RecordingProgram(host.server, "grok");
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void aSecretIsInTheChildsEnvironmentOrItsPrivateFileAndNowhereElse() throws Exception {
        host.secret("grok_login", "{\"token\":\"" + LOGIN + "\"}");
        host.secret("agy_key", "canary-agy-" + UUID.randomUUID());
        host.secret("empty", "");
        host.credential("grok_login", "kind: file, driver: grok")
                .credential("agy_key", "kind: environment, driver: agy, destination: GEMINI_API_KEY")
                .credential("empty", "kind: file, driver: grok")
                .policy("grok", "driver: grok, executable: \"%s\", credentials: [ grok_login ]".formatted(grok.path()))
                .policy("agy", "driver: agy, executable: \"%s\", credentials: [ agy_key ]".formatted(agy.path()))
                .policy("refused", "driver: grok, executable: \"%s\", credentials: [ empty ]".formatted(grok.path()))
                .start();
        host.grantTools();
        try (SecretSearch search = new SecretSearch(canaries())) {
            for (AgentProgram program : AgentProgram.values()) {
                run(program.command(), Map.of());
            }
            Path file = loginOfGrok();
            keyOfAgy();
            refusals();
            host.server.stop();

            assertThat(search.commandLines()).as("command lines").isEmpty();
            assertThat(told).as("what routes told").noneMatch(search::holdsSecret);
            assertThat(search.dump(host.server)).as("the database").isEmpty();
            assertThat(search.files(host.server.home()))
                    .as("files of the state root")
                    .containsExactly(host.server.home().relativize(file).toString());
            assertThat(search.holdsSecret(BerthServer.read(host.server.console()))).isFalse();
        }
    }

    private List<String> canaries() {
        List<String> canaries = new ArrayList<>(host.secrets.values());
        canaries.removeIf(String::isEmpty);
        canaries.add(LOGIN);
        return canaries;
    }

    private Path loginOfGrok() throws Exception {
        String id = prepare("grok", Map.of("session_ref", "kept"));
        host.server.api().start(id).expect(200);
        long pid = grok.awaitStart(1);
        Path home = Path.of(Proc.variables(pid).get("HOME"));
        Path file = home.resolve(loginFile("grok"));
        assertThat(file).hasContent(host.secrets.get("grok_login"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        grok.go();
        end(id);
        return file;
    }

    private void keyOfAgy() {
        String id = prepare("agy", Map.of());
        host.server.api().start(id).expect(200);
        long pid = agy.awaitStart(1);
        assertThat(Proc.variables(pid)).containsEntry("GEMINI_API_KEY", host.secrets.get("agy_key"));
        agy.go();
        end(id);
    }

    /** Answers that speak of credentials. */
    private void refusals() {
        Api api = host.server.api();
        told.add(api.prepare(host.launch("claude", "-p", "x").environment("ANTHROPIC_API_KEY", "other"))
                .expectProblem(409, "CONFLICT")
                .text());
        String id = prepare("refused", Map.of());
        Answer start = api.start(id);
        assertThat(start.status()).isBetween(400, 499);
        told.add(start.text());
        end(id);
    }

    private void run(String policy, Map<String, Object> more) {
        String id = prepare(policy, more);
        host.server.api().start(id).expect(200);
        end(id);
    }

    private String prepare(String policy, Map<String, Object> more) {
        Map<String, Object> run = new LinkedHashMap<>(more);
        run.put("policy_ref", policy);
        run.put("prompt", AgentHost.CALL);
        run.put("output", Map.of("recipient", "log"));
        Answer answer =
                host.server.api().post("/api/placement/agent-runs", run).expect(201);
        told.add(answer.text());
        return answer.text("attempt", "attempt_id");
    }

    private void end(String id) {
        Api api = host.server.api();
        api.awaitExit(id);
        for (String path : List.of("", "/evidence?limit=1000", "/logs?stream=stdout", "/logs?stream=stderr")) {
            told.add(api.get(Api.ATTEMPTS + "/" + id + path).text());
        }
        told.add(api.cleanUp(id).expect(200).text());
        for (String path : List.of(Api.ATTEMPTS, "/api/placement/host", "/api/placement/drivers")) {
            told.add(api.get(path).expect(200).text());
        }
    }

    private String loginFile(String driver) {
        return Json.objects(host.server.api().get("/api/placement/drivers").expect(200).json(), "drivers").stream()
                .filter(each -> driver.equals(each.get("name")))
                .map(each -> (String) each.get("login_file"))
                .findFirst()
                .orElseThrow();
    }
}
