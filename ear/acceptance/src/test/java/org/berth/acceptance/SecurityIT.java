package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may do what, and where no secret may be. */
class SecurityIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void noRouteButHealthAnswersWithoutAToken() {
        Answer description = Api.send(api.request("/openapi")
                        .header("Accept", "application/json")
                        .GET()
                        .build())
                .expect(200);
        @SuppressWarnings("unchecked")
        Map<String, Map<String, Object>> paths = (Map<String, Map<String, Object>>) description.at("paths");
        assertThat(paths).containsKeys("/api/placement/attempts", "/api/placement/attempts/{id}/start", "/api/tokens");
        Set<String> methods = Set.of("get", "post", "put", "delete", "patch");
        List<Api> callers = List.of(api.with(null), api.with("berth-nobody"), api.with(""));
        paths.forEach((path, operations) -> operations.keySet().stream()
                .filter(methods::contains)
                .filter(method -> !path.equals("/healthz"))
                .forEach(method -> callers.forEach(
                        caller -> assertUnauthenticated(caller, method, path.replaceAll("\\{[^}]*}", "x")))));
        for (Api caller : callers) {
            assertUnauthenticated(caller, "get", Api.ATTEMPTS + "/x/stream?generation=1");
            assertThat(caller.get("/healthz").expect(200).json().keySet())
                    .containsExactlyInAnyOrder("status", "supervisor", "database");
        }
    }

    private static void assertUnauthenticated(Api caller, String method, String path) {
        Answer answer = Api.send(caller.request(path)
                .method(method.toUpperCase(java.util.Locale.ROOT), HttpRequest.BodyPublishers.noBody())
                .build());
        // The ingress of activity takes grants, and says so in their own code.
        answer.expectProblem(401, path.equals("/api/activity/hooks") ? "activity_grant_unknown" : "UNAUTHENTICATED");
    }

    @Test
    void aRevokedTokenEndsItsCallsAndItsStreams() {
        String owner = "revoked-" + unique();
        Answer issued = api.post("/api/tokens", Map.of("owner_id", owner)).expect(201);
        Api other = api.with(issued.text("token"));
        assertThat(other.get("/api/whoami").expect(200).at("owner_id")).isEqualTo(owner);
        String id = other.started(aLaunch().owner(owner).of("sleep", "300"));
        try (StreamClient stream = StreamClient.attach(other, id)) {
            stream.awaitEvent("attached");
            api.post("/api/tokens/" + issued.text("token_id") + "/revoke").expect(200);

            other.get("/api/whoami").expectProblem(401, "UNAUTHENTICATED");
            assertThat(stream.awaitClose()).isEqualTo(4401);
        }
        api.stop(id, "forced");
    }

    @Test
    void anExpiredTokenHoldsNoMore() {
        Api other = api.with(api.post("/api/tokens", Map.of("owner_id", "expiring", "expires_in", "1s"))
                .expect(201)
                .text("token"));
        Await.until("the token expires", () -> other.get("/api/whoami").status() == 401);
    }

    @Test
    void whatBelongsToOneOwnerIsNotThereForAnother() {
        String owner = "a-" + unique();
        Api first = api.with(server.issueToken(owner));
        Api second = api.with(server.issueToken("b-" + unique()));
        String id = first.started(aLaunch().owner(owner).of("sleep", "300"));
        String path = Api.ATTEMPTS + "/" + id;
        String writeId = StreamClient.newWriteId();
        List<Answer> tries = List.of(
                second.get(path),
                second.get(path + "/evidence"),
                second.get(path + "/logs"),
                second.get(path + "/output"),
                second.get(path + "/writes/" + writeId),
                second.start(id),
                second.stop(id, "forced"),
                second.reconcile(id),
                second.cleanUp(id),
                second.attach(id),
                second.post(path + "/stdin/close"),
                second.post(path + "/ack", Map.of("generation", 0L, "consumed_through", 0L)),
                second.post(path + "/input", Map.of("generation", 0L, "write_id", writeId, "data", "")));
        tries.forEach(answer -> answer.expectProblem(404, "NOT_FOUND"));
        assertThat(second.get(Api.ATTEMPTS).expect(200).text()).doesNotContain(id);
        assertThat(second.get(Api.ATTEMPTS + "?owner=" + owner).text()).doesNotContain(id);
        assertThat(first.get(Api.ATTEMPTS).expect(200).text()).contains(id);
        Answer forged = second.prepare(aLaunch().owner(owner));
        assertThat(forged.status()).as(forged.text()).isIn(403, 404);
        assertThat(first.attempt(id)).containsEntry("execution_state", "running");
        first.stop(id, "forced").expect(200);
    }

    @Test
    void anOwnerIssuesNeitherGrantsNorTokens() {
        Api other = api.with(server.issueToken("plain-" + unique()));
        Path root = server.directory("granted");
        other.post("/api/tokens", Map.of("owner_id", "more")).expectProblem(403, "FORBIDDEN");
        other.post("/api/placement/grants", Map.of("root", root.toString(), "access", "read", "purpose", "project"))
                .expectProblem(403, "FORBIDDEN");
        other.post("/api/placement/host/reload").expectProblem(403, "FORBIDDEN");
    }

    @Test
    void aSecretReachesTheChildAndNoOtherPlace() throws IOException {
        Path seen = server.directory("secret").resolve("seen");
        LaunchRequests launch = aLaunch()
                .script("printf '%s %s' \"$FROM_ENV\" \"$FROM_FILE\" > '" + seen + "'; exec sleep 300")
                .reference("FROM_ENV", "secrets/env")
                .reference("FROM_FILE", "secrets/file");
        String id = api.started(launch);
        String wanted = SharedHost.ENVIRONMENT_SECRET + " " + SharedHost.FILE_SECRET;
        Await.until(
                "the child has both",
                () -> Files.exists(seen) && Files.readString(seen).equals(wanted));
        Answer refused = api.prepare(aLaunch().reference("X", "secrets/other"));
        assertThat(refused.status()).isBetween(400, 499);

        List<String> told = new ArrayList<>(List.of(
                refused.text(),
                api.status(id).text(),
                api.evidence(id).toString(),
                api.get("/api/placement/host").text(),
                api.get("/api/placement/capabilities").text()));
        long supervisor = server.supervisorPid();
        told.add(Proc.read(server.pid(), "cmdline"));
        told.add(Proc.read(supervisor, "cmdline"));
        told.add(Proc.read(supervisor, "environ"));
        told.forEach(SecurityIT::assertWithoutSecret);
        assertThat(Proc.read(server.pid(), "environ")).doesNotContain(SharedHost.FILE_SECRET);
        api.stop(id, "forced").expect(200);
        api.awaitExit(id);
        assertWithoutSecret(api.evidence(id).toString());
        assertNoFileHoldsASecret(server.home());
        assertThat(Files.readString(server.console())).doesNotContain(SharedHost.ENVIRONMENT_SECRET);
    }

    private static void assertWithoutSecret(String text) {
        assertThat(text).doesNotContain(SharedHost.ENVIRONMENT_SECRET, SharedHost.FILE_SECRET);
    }

    /** Database, logs, journal and homes, byte for byte. */
    private static void assertNoFileHoldsASecret(Path home) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(home)) {
            files = tree.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".jar")
                            && !file.toString().endsWith(".ear"))
                    .toList();
        }
        assertThat(files.stream().map(file -> home.relativize(file).getName(0).toString()))
                .contains("data", "logs", "supervisor");
        for (Path file : files) {
            String bytes;
            try {
                bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            } catch (java.nio.file.NoSuchFileException e) {
                continue;
            }
            assertThat(bytes.contains(SharedHost.ENVIRONMENT_SECRET) || bytes.contains(SharedHost.FILE_SECRET))
                    .as(file.toString())
                    .isFalse();
        }
    }

    private static String unique() {
        return UUID.randomUUID().toString().substring(0, 8);
    }
}
