package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Directories by grant: working directories and session homes, and what ends with the right to them. */
class GrantIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    private Answer issue(Path root, String subpath, String purpose, String lifetime) {
        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("root", root.toString());
        wish.put("subpath", subpath);
        wish.put("access", "write");
        wish.put("purpose", purpose);
        if (lifetime != null) {
            wish.put("expires_in", lifetime);
        }
        return api.post("/api/placement/grants", wish);
    }

    private String grant(Path root, String purpose) {
        return issue(root, "", purpose, null).expect(201).text("grant_ref");
    }

    private void revoke(String grant) {
        api.post("/api/placement/grants/" + grant + "/revoke").expect(200);
    }

    @Test
    void aLaunchRunsInTheDirectoryOfItsGrant() throws Exception {
        Path work = server.directory("work");
        String id = api.started(aLaunch().script("pwd -P > here").workingDirectory(grant(work, "project")));

        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        assertThat(Files.readString(work.resolve("here")).strip())
                .isEqualTo(work.toRealPath().toString());
    }

    @Test
    void aGrantThatWasRevokedRefusesTheStart() {
        String grant = grant(server.directory("work"), "project");
        String id = api.prepared(aLaunch().of("sleep", "300").workingDirectory(grant));
        revoke(grant);

        api.start(id).expectProblem(403, "DENIED");
        assertThat(api.evidenceKinds(id)).contains("grant.refused");
        assertThat(api.attempt(id).get("pid")).isNull();
        api.prepare(aLaunch().workingDirectory(grant)).expectProblem(403, "DENIED");
    }

    @Test
    void aGrantThatIsRevokedStopsWhatRunsByTheSweepAlone() {
        String grant = grant(server.directory("work"), "project");
        String id = api.started(aLaunch().of("sleep", "300").workingDirectory(grant));
        revoke(grant);

        assertThat(api.awaitExit(id)).isEqualTo(Map.of("signal", 15L));
        assertThat(api.evidenceKinds(id)).containsSubsequence("grant.revoked", "stop.requested", "signal.term");
        assertThat(api.attempt(id)).containsEntry("stop_requested", "cooperative");
    }

    @Test
    void anExpiredGrantHoldsNoMore() {
        Path root = server.directory("work");
        String grant = issue(root, "", "project", "1s").expect(201).text("grant_ref");
        Await.until(
                "the grant expires",
                () -> api.prepare(aLaunch().workingDirectory(grant)).status() == 403);
    }

    @Test
    void aGrantNeverReachesTheStateRoot() throws Exception {
        issue(server.home(), "", "project", null).expectProblem(403, "DENIED");
        issue(server.home().resolve("placement"), "", "project", null).expectProblem(403, "DENIED");
        issue(server.home().getParent(), "", "project", null).expectProblem(403, "DENIED");
        issue(Path.of("/"), "", "project", null).expectProblem(403, "DENIED");
        Path link = server.directory("links").resolve("state");
        Files.createSymbolicLink(link, server.home());
        issue(link, "", "project", null).expectProblem(403, "DENIED");
    }

    @Test
    void aSubpathThatBecameALinkOutOfItsRootIsRefused() throws Exception {
        Path root = server.directory("root");
        Path outside = server.directory("outside");
        Path inside = Files.createDirectory(root.resolve("inside"));
        server.give(root);
        String grant = issue(root, "inside", "project", null).expect(201).text("grant_ref");
        String id = api.prepared(aLaunch().of("touch", "mark").workingDirectory(grant));
        Files.delete(inside);
        Files.createSymbolicLink(inside, outside);

        assertThat(api.start(id).status()).isBetween(400, 499);
        assertThat(api.evidenceKinds(id)).contains("workdir.failed", "child.not_started");
        assertThat(outside.resolve("mark")).doesNotExist();
    }

    @Test
    void aSessionHomeHasOneHolderAndOutlivesIt() {
        String session = "session-" + UUID.randomUUID().toString().substring(0, 8);
        String grant = grant(server.directory("session"), "session");
        LaunchRequests first =
                aLaunch().script("echo kept > \"$HOME/note\"; exec sleep 300").session(session, grant);
        String holder = api.started(first);
        LaunchRequests second =
                aLaunch().script("cat \"$HOME/note\"").session(session, grant).logged();
        assertThat(api.prepare(second).expectProblem(409, "CONFLICT").text("error"))
                .contains(holder);
        api.stop(holder, "forced").expect(200);
        api.awaitExit(holder);
        api.prepare(second).expectProblem(409, "CONFLICT");
        api.cleanUp(holder).expect(200);

        String next = api.started(second);
        assertThat(api.awaitExit(next)).isEqualTo(Map.of("code", 0L));
        Await.until(
                "the note was kept",
                () -> api.get(Api.ATTEMPTS + "/" + next + "/logs").text().equals("kept\n"));
        api.cleanUp(next).expect(200);
        String stopped = api.prepared(aLaunch().session(session, grant));
        api.stop(stopped, "cooperative").expect(200);
        api.prepare(aLaunch().session(session, grant)).expect(201);
    }
}
