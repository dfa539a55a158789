package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Activity grants on the guest listener and on the daemon. Source: the environment reference's listener test and rules. */
class GuestListenerIT {
    private static final String HOOKS = "/api/activity/hooks";
    private static final String RIG = "guest-fixture";

    private static final BerthServer SERVER = BerthServer.create("guest").withGuestListener();
    private static Api daemon;
    private static Api guest;

    @BeforeAll
    static void seats() throws SQLException {
        SERVER.start();
        SERVER.stop();
        try (SeatRows rows = SeatRows.of(SERVER)) {
            rows.rig(RIG);
            for (String member : List.of(
                    "posts", "own", "refused", "malformed", "held", "reheld", "install", "old", "large", "slow")) {
                rows.seat(member, RIG).generation(member, "gen-1", "current");
            }
            rows.seat("next", RIG).generation("next", "gen-1", "pending");
            rows.seat("replaced", RIG)
                    .generation("replaced", "gen-1", "stale")
                    .generation("replaced", "gen-2", "current");
        }
        SERVER.start();
        daemon = SERVER.api();
        guest = new Api(SERVER.guestUrl(), null);
    }

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void theGrantsOwnSeatPostsAndItsPostsDecideItsActivity() {
        assertThat(activity("posts")).containsEntry("state", "unknown").containsEntry("stale", false);
        Api grant = guest.with(issue("posts"));
        Answer taken = post(grant, Map.of());
        taken.expect(200);
        assertThat(taken.at("ok")).isEqualTo(true);
        assertThat(taken.text("seat")).isEqualTo("posts@" + RIG);
        assertThat(taken.text("generation")).as("from the grant").isEqualTo("gen-1");
        assertThat(activity("posts")).containsEntry("state", "running").containsEntry("generation", "gen-1");

        post(grant, Map.of("hookEvent", "PermissionRequest")).expect(200);
        assertThat(activity("posts")).containsEntry("state", "needs_input");
        post(grant, Map.of("sessionName", "posts@" + RIG, "nodeId", "posts-node", "generation", "gen-1"))
                .expect(200);
        post(grant, Map.of("hookEvent", "Stop")).expect(200);
        assertThat(activity("posts")).containsEntry("state", "idle");
        assertThat(events("posts")).hasSize(4);
        assertThat(post(daemon.with(grant.token()), Map.of()).status())
                .as("the daemon takes grants too")
                .isEqualTo(200);
    }

    @Test
    void theAgentsOwnBodyIsTakenForTheGrantsSeat() {
        Api grant = guest.with(issue("own"));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("session_id", "0b1c");
        body.put("transcript_path", "/sandbox/openrig/h.jsonl");
        body.put("cwd", "/sandbox/openrig");
        body.put("hook_event_name", "Notification");
        body.put("notification_type", "permission_prompt");
        body.put("message", "needs you");
        grant.post(HOOKS, body).expect(200);
        assertThat(activity("own")).containsEntry("state", "needs_input");
        assertThat(events("own").getFirst())
                .containsEntry("runtime", "claude-code")
                .containsEntry("nativeSession", "0b1c");
    }

    @Test
    void anEventOfMoreThanFiveMinutesAgoIsStale() {
        post(
                        guest.with(issue("old")),
                        Map.of(
                                "hookEvent",
                                "Stop",
                                "occurredAt",
                                Instant.now().minusSeconds(301).toString()))
                .expect(200);
        assertThat(activity("old")).containsEntry("state", "unknown").containsEntry("stale", true);
    }

    @Test
    void everyRefusalHasItsCodeAndRecordsNothing() throws IOException {
        String token = issue("refused");
        Api grant = guest.with(token);
        post(grant, Map.of("sessionName", "posts@" + RIG)).expectProblem(403, "activity_grant_wrong_seat");
        post(grant, Map.of("sessionName", "nobody@" + RIG)).expectProblem(403, "activity_grant_wrong_seat");
        post(grant, Map.of("nodeId", "posts-node")).expectProblem(403, "activity_grant_wrong_seat");
        post(grant, Map.of("generation", "gen-2")).expectProblem(409, "activity_grant_stale");

        for (String other :
                List.of("unknown", "berth-activity-" + "A".repeat(43), installToken(), SERVER.ownerToken(), "")) {
            Answer refused = post(guest.with(other), Map.of("sessionName", "refused@" + RIG));
            refused.expectProblem(401, "activity_grant_unknown");
            assertThat(refused.text("error")).isEqualTo("unauthorized");
        }
        post(guest, Map.of()).expectProblem(401, "activity_grant_unknown");

        issue("refused");
        post(grant, Map.of()).expectProblem(401, "activity_grant_revoked");
        assertThat(grants("refused-node"))
                .anySatisfy(ended -> assertThat(ended).containsEntry("revokedReason", "reissued"));
        assertThat(events("refused")).isEmpty();
        assertThat(activity("refused")).containsEntry("state", "unknown").containsEntry("event", null);
    }

    @Test
    void aRevokedGrantIsRefusedAndRevokingAgainIsTheSame() {
        Answer issued = issued("replaced", "gen-2");
        String path = "/api/grants/activity/" + issued.text("grantId") + "/revoke";
        Answer revoked = daemon.post(path, Map.of("reason", "lost")).expect(200);
        assertThat(daemon.post(path, Map.of("reason", "again")).expect(200).json())
                .isEqualTo(revoked.json());
        post(guest.with(issued.text("token")), Map.of()).expectProblem(401, "activity_grant_revoked");
        daemon.post("/api/grants/activity/none/revoke").expectProblem(404, "NOT_FOUND");
    }

    @Test
    void aReplacedOccupantIsStale() {
        post(guest.with(issued("replaced", "gen-1").text("token")), Map.of())
                .expectProblem(409, "activity_grant_stale");
        assertThat(events("replaced")).isEmpty();
    }

    @Test
    void anUnregisteredLaunchIsPendingAndTakenOnceItIsRegistered() throws SQLException {
        String token = issued("next", "gen-1").text("token");
        post(guest.with(token), Map.of()).expectProblem(409, "activity_grant_pending");
        assertThat(events("next")).isEmpty();
        SERVER.stop();
        try (SeatRows rows = SeatRows.of(SERVER)) {
            rows.register("next", "gen-1");
        }
        SERVER.start();
        post(guest.with(token), Map.of()).expect(200);
        assertThat(activity("next")).containsEntry("state", "running");
    }

    @Test
    void theInstallWideTokenSpeaksForEverySeatOnTheDaemonOnly() throws IOException {
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(SERVER.home().resolve("hook.token"))))
                .isEqualTo("rw-------");
        Api install = daemon.with(installToken());
        post(install, Map.of("sessionName", "install@" + RIG, "hookEvent", "Stop"))
                .expect(200);
        post(install, Map.of("nodeId", "install-node")).expect(200);
        assertThat(activity("install")).containsEntry("state", "running");
        post(install, Map.of("sessionName", "nobody@" + RIG)).expectProblem(404, "seat_missing");
        post(install, Map.of()).expectProblem(400, "INVALID");
        post(guest.with(installToken()), Map.of("sessionName", "install@" + RIG))
                .expectProblem(401, "activity_grant_unknown");
        install.get("/api/whoami").expectProblem(401, "UNAUTHENTICATED");
        assertThat(events("install")).hasSize(2);
    }

    @Test
    void aMalformedBodyIsRefused() {
        Api grant = guest.with(issue("malformed"));
        for (String body : List.of(
                "",
                "{",
                "[]",
                "{}",
                "{\"runtime\":\"synth\"}",
                "{\"runtime\":\"synth\",\"hookEvent\":7}",
                "{\"runtime\":\"synth\",\"hookEvent\":\"Stop\",\"occurredAt\":\"now\"}",
                "{\"runtime\":\"a\",\"runtime\":\"b\",\"hookEvent\":\"Stop\"}",
                "{\"hook_event_name\":null}")) {
            grant.raw("POST", HOOKS, "application/json", body.getBytes(StandardCharsets.UTF_8))
                    .expectProblem(400, "INVALID");
        }
        assertThat(events("malformed")).isEmpty();
    }

    @Test
    void aBodyOverItsBoundIsRefusedWhetherAnnouncedOrNot() {
        Api grant = guest.with(issue("large"));
        byte[] body = ("{\"runtime\":\"synth\",\"hookEvent\":\"Stop\",\"more\":\"" + "x".repeat(65536) + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        grant.raw("POST", HOOKS, "application/json", body).expectProblem(413, "TOO_LARGE");
        HttpRequest chunked = grant.request(HOOKS)
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(body)))
                .build();
        Api.send(chunked).expectProblem(413, "TOO_LARGE");
        assertThat(events("large")).isEmpty();
    }

    @Test
    void aGrantThatIsRevokedWhileTheBodyIsHeldRecordsNothing() throws IOException {
        Answer issued = issued("held", "gen-1");
        try (HeldPost post = HeldPost.open(SERVER.guestUrl(), issued.text("token"), body(Map.of()))) {
            assertThat(post.status()).isEqualTo(100);
            post.half();
            daemon.post("/api/grants/activity/" + issued.text("grantId") + "/revoke")
                    .expect(200);
            post.rest();
            assertThat(post.status()).isEqualTo(401);
            assertThat(post.code()).isEqualTo("activity_grant_revoked");
        }
        assertThat(events("held")).isEmpty();
        assertThat(activity("held")).containsEntry("state", "unknown");
    }

    @Test
    void aGrantThatIsReissuedWhileTheBodyIsHeldRecordsNothing() throws IOException {
        String token = issue("reheld");
        try (HeldPost post = HeldPost.open(SERVER.guestUrl(), token, body(Map.of()))) {
            assertThat(post.status()).isEqualTo(100);
            post.half();
            String next = issue("reheld");
            post.rest();
            assertThat(post.status()).isEqualTo(401);
            assertThat(post.code()).isEqualTo("activity_grant_revoked");
            assertThat(events("reheld")).isEmpty();
            post(guest.with(next), Map.of()).expect(200);
        }
    }

    @Test
    void aRefusedPosterIsToldBeforeItsBodyIsRead() throws IOException {
        try (HeldPost post = HeldPost.open(SERVER.guestUrl(), "unknown", body(Map.of()))) {
            assertThat(post.status()).isEqualTo(401);
        }
    }

    @Test
    void manySlowBodiesHoldNobodyUp() throws IOException {
        String token = issue("slow");
        List<HeldPost> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 150; i++) {
                HeldPost post = HeldPost.open(SERVER.guestUrl(), token, body(Map.of("hookEvent", "PreToolUse")));
                slow.add(post);
                assertThat(post.status()).isEqualTo(100);
                post.half();
            }
            assertThat(post(guest.with(token), Map.of("hookEvent", "Stop"))
                            .expect(200)
                            .millis())
                    .isLessThan(5000);
            daemon.get("/healthz").expect(200);
            slow.getFirst().rest();
            assertThat(slow.getFirst().status()).isEqualTo(200);
        } finally {
            for (HeldPost post : slow) {
                post.close();
            }
        }
    }

    @Test
    void nothingElseIsServedOnTheGuestAndMcpListeners() {
        Answer description = Api.send(
                daemon.request("/openapi").header("Accept", "application/json").build());
        @SuppressWarnings("unchecked")
        Map<String, Map<String, Object>> paths =
                (Map<String, Map<String, Object>>) description.expect(200).at("paths");
        List<String> routes = new ArrayList<>(List.of(
                "GET /",
                "GET /api/config",
                "POST /api/queue/create",
                "GET /api/activity/parked",
                "POST /api/activity/pi-usage",
                "POST /api/activity/pi-usage-charges",
                "GET /console",
                "GET /metrics",
                "POST /api/activity/hooks/",
                "POST /api/activity/hooks/more",
                "POST /api/activity/../activity/hooks",
                "POST /api//activity/hooks",
                "POST /api/activity/hooks;a=b",
                "GET /WEB-INF/web.xml"));
        paths.forEach((path, item) -> item.keySet().stream()
                .filter(List.of("get", "post", "put", "patch", "delete")::contains)
                .forEach(method ->
                        routes.add(method.toUpperCase(Locale.ROOT) + " " + path.replaceAll("\\{[^}]+}", "x"))));
        assertThat(routes).hasSizeGreaterThan(40).contains("POST " + HOOKS, "GET /healthz", "GET /api/activity/events");
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")) {
            routes.add(method + " " + HOOKS);
        }
        String grant = issue("posts");
        for (String route : routes) {
            String[] parts = route.split(" ");
            byte[] body = parts[0].equals("POST") ? "{}".getBytes(StandardCharsets.UTF_8) : new byte[0];
            if (!route.equals("POST " + HOOKS)) {
                assertThat(guest.with(grant)
                                .raw(parts[0], parts[1], "application/json", body)
                                .status())
                        .as("guest " + route)
                        .isEqualTo(404);
            }
            if (!parts[0].equals("TRACE")) {
                assertThat(new Api(SERVER.mcpUrl(), SERVER.ownerToken())
                                .raw(parts[0], parts[1], "application/json", body)
                                .status())
                        .as("mcp " + route)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void onlyOperatorsIssueGrants() {
        Api owner = daemon.with(SERVER.issueToken("alice-" + UUID.randomUUID()));
        owner.post("/api/grants/activity", Map.of("seat", "posts@" + RIG)).expectProblem(403, "FORBIDDEN");
        owner.get("/api/grants/activity").expectProblem(403, "FORBIDDEN");
        owner.get("/api/activity/events").expectProblem(403, "FORBIDDEN");
        daemon.post("/api/grants/activity", Map.of("seat", "nobody@" + RIG)).expectProblem(404, "seat_missing");
        assertThat(daemon.get("/api/grants/activity?all=true").expect(200).text())
                .doesNotContain("berth-activity-");
    }

    private static String issue(String member) {
        return issued(member, "gen-1").text("token");
    }

    private static Answer issued(String member, String generation) {
        return daemon.post("/api/grants/activity", Map.of("seat", member + "@" + RIG, "generation", generation))
                .expect(201);
    }

    private static List<Map<String, Object>> grants(String nodeId) {
        return Json.objects(
                daemon.get("/api/grants/activity?all=true&nodeId=" + nodeId)
                        .expect(200)
                        .json(),
                "grants");
    }

    private static Answer post(Api as, Map<String, Object> more) {
        return as.raw("POST", HOOKS, "application/json", body(more).getBytes(StandardCharsets.UTF_8));
    }

    private static String body(Map<String, Object> more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("runtime", "synth");
        body.put("hookEvent", "UserPromptSubmit");
        body.put("subtype", "accepted");
        body.put("occurredAt", Instant.now().toString());
        body.putAll(more);
        return Json.write(body);
    }

    private static Map<String, Object> activity(String member) {
        return daemon.get("/api/activity/seats/" + member + "@" + RIG)
                .expect(200)
                .json();
    }

    private static List<Map<String, Object>> events(String member) {
        return Json.objects(
                daemon.get("/api/activity/events?seat=" + member + "@" + RIG)
                        .expect(200)
                        .json(),
                "events");
    }

    private static String installToken() throws IOException {
        return Files.readString(SERVER.home().resolve("hook.token")).strip();
    }
}
