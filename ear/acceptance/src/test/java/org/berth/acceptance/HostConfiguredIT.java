package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resource mode host_configured: the host's own list of roots decides, a grant_ref is correlation only. */
class HostConfiguredIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private Path policy;
    private String before;
    private Path readable;
    private Path writable;

    @BeforeEach
    void admitTwoRoots() throws Exception {
        policy = server.home().resolve("host.yaml");
        before = Files.readString(policy);
        readable = server.directory("readable");
        writable = server.directory("writable");
        Files.writeString(policy, """
                resource_mode: host_configured
                admitted_roots:
                  readable: { path: "%s", access: read }
                  writable: { path: "%s", access: write }
                  state: { path: "%s", access: write }
                """.formatted(readable, writable, server.home()));
        api.post("/api/placement/host/reload").expect(200);
    }

    @AfterEach
    void putBack() throws Exception {
        Files.writeString(policy, before);
        api.post("/api/placement/host/reload").expect(200);
    }

    private static LaunchRequests in(String root, String access, String subpath) {
        return aLaunch()
                .script("pwd -P > here")
                .with(
                        "resources",
                        List.of(Map.of(
                                "name",
                                "cwd",
                                "grant_ref",
                                "correlation",
                                "root_ref",
                                root,
                                "subpath",
                                subpath,
                                "access",
                                access,
                                "purpose",
                                "project")))
                .launch("working_directory_ref", "cwd");
    }

    @Test
    void aLaunchRunsInAnAdmittedRoot() throws Exception {
        String id = api.started(in("writable", "write", ""));
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        assertThat(writable.resolve("here")).hasContent(writable.toRealPath().toString());
    }

    @Test
    void aRequestGetsNoMoreThanTheHostAdmits() {
        api.prepare(in("readable", "write", "")).expectProblem(403, "DENIED");
        api.prepare(in("elsewhere", "read", "")).expectProblem(403, "DENIED");
        api.prepare(in("state", "write", "")).expectProblem(403, "DENIED");
        api.prepare(in("state", "write", "placement")).expectProblem(403, "DENIED");
        assertThat(api.get("/api/placement/host").expect(200).json()).containsEntry("resource_mode", "host_configured");
    }

    @Test
    void aRootThatIsTakenBackStopsWhatRunsInIt() throws Exception {
        String id = api.started(in("writable", "write", "").script("exec sleep 300"));
        Files.writeString(policy, "resource_mode: host_configured\n");
        api.post("/api/placement/host/reload").expect(200);

        api.reconcile(id).expect(200);
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("signal", 15L));
        assertThat(api.evidenceKinds(id)).contains("grant.revoked");
    }
}
