package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where no secret may be after a run of every driver. The programs that cannot be had here are recorded. */
class CanarySecretsIT {
    private final AgentHost host = new AgentHost("canaries");
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void aSecretIsInTheChildsEnvironmentOrItsPrivateFileAndNowhereElse() throws Exception {
        host.start();
        host.grantTools();
        try (SecretSearch search = new SecretSearch(host.secrets.values())) {
            for (AgentProgram program : AgentProgram.values()) {
                run(program.command(), Map.of());
            }
            List<String> logins = List.of(kept(host.agy, "agy", "GEMINI_API_KEY"), kept(host.grok, "grok", null));
            refusals();
            host.server.stop();

            assertThat(search.commandLines()).as("command lines").isEmpty();
            assertThat(told).as("what routes told").noneMatch(search::holdsSecret);
            assertThat(search.dump(host.server)).as("the database").isEmpty();
            assertThat(search.files(host.server.home()))
                    .as("files of the state root")
                    .containsExactlyInAnyOrderElementsOf(logins);
            assertThat(search.holdsSecret(BerthServer.read(host.server.console())))
                    .isFalse();
        }
    }

    /** The path of its login below the state root, which stays in the retained home. */
    private String kept(RecordingProgram program, String policy, String variable) throws Exception {
        String id = prepare(policy, Map.of("session_ref", "kept-" + policy));
        host.server.api().start(id).expect(200);
        Map<String, String> variables = Proc.variables(program.awaitStart(1));
        if (variable != null) {
            assertThat(variables).containsEntry(variable, host.secrets.get("gemini"));
        }
        Path file = Path.of(variables.get("HOME")).resolve(loginFile(policy));
        assertThat(file).hasContent(host.secrets.get(policy + "_login"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        program.go();
        end(id);
        return host.server.home().relativize(file).toString();
    }

    /** Answers that speak of credentials. */
    private void refusals() {
        Api api = host.server.api();
        told.add(api.prepare(host.launch("claude", "-p", "x").environment("ANTHROPIC_API_KEY", "other"))
                .expectProblem(409, "CONFLICT")
                .text());
        // A login that is there and empty, for a home that has none yet.
        host.secret("grok_login", "");
        String id = prepare("grok", Map.of());
        told.add(api.start(id).expectProblem(403, "DENIED").text());
        api.stop(id, "forced").expect(200);
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
        Answer answer = host.server.api().post("/api/placement/agent-runs", run).expect(201);
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
        return Json.objects(
                        host.server
                                .api()
                                .get("/api/placement/drivers")
                                .expect(200)
                                .json(),
                        "drivers")
                .stream()
                .filter(each -> driver.equals(each.get("name")))
                .map(each -> (String) each.get("login_file"))
                .findFirst()
                .orElseThrow();
    }
}
