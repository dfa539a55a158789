package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is over and cleaned is removed whole after the policy's retention, and nothing else is. */
class RetentionIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final SweepExecutions sweeps = new SweepExecutions(server);
    private Path policy;
    private String before;

    @BeforeEach
    void keepBriefly() throws Exception {
        policy = server.home().resolve("host.yaml");
        before = Files.readString(policy);
        Files.writeString(policy, before + "evidence_retention: 2s\n");
    }

    @AfterEach
    void putBack() throws Exception {
        Files.writeString(policy, before);
        api.post("/api/placement/host/reload").expect(200);
    }

    @Test
    void aCleanedAttemptGoesWithItsEvidenceAndWhatIsNotCleanedStays() {
        LaunchRequests launch = aLaunch().script("exit 3");
        String cleaned = api.started(launch);
        String running = api.started(aLaunch().of("sleep", "300"));
        String uncleaned = api.started(aLaunch().script("exit 4"));
        String intended = api.prepared(aLaunch());
        api.awaitExit(cleaned);
        api.awaitExit(uncleaned);
        api.cleanUp(cleaned).expect(200);

        api.post("/api/placement/host/reload").expect(200);
        awaitGone(cleaned);

        api.get(Api.ATTEMPTS + "/" + cleaned + "/evidence").expectProblem(404, "NOT_FOUND");
        for (String id : new String[] {running, uncleaned, intended}) {
            assertThat(api.evidence(id)).as(id).isNotEmpty();
        }
        api.prepare(launch).expect(201);

        api.stop(running, "forced").expect(200);
        api.awaitExit(running);
        for (String id : new String[] {running, uncleaned}) {
            Await.until(id + " is cleaned up", () -> api.cleanUp(id).status() == 200);
            awaitGone(id);
        }
        api.status(intended).expect(200);
    }

    @Test
    void executionsOfTheSweepGoToo() {
        Object old = Await.value("a sweep has ended", sweeps::ended, ended -> !ended.isEmpty())
                .getFirst();
        api.post("/api/placement/host/reload").expect(200);

        Await.until("execution " + old + " is removed", () -> !sweeps.all().containsKey(old));
        Await.until("a later sweep has ended", () -> !sweeps.ended().isEmpty());
    }

    private void awaitGone(String id) {
        Await.until(id + " is removed", () -> api.status(id).status() == 404);
    }
}
