package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child session on a copy of its parent's files. Source: harness.md, Isolated workspaces. */
class SessionWorkspaceIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    /** Outside this build's own work tree, whose rules ignore what is built. */
    @TempDir
    private Path directory;

    private Session parent;

    @BeforeEach
    void open() {
        server.give(directory);
        parent = Session.open(api, directory);
    }

    private Session child() {
        return Session.open(api, null, "parent", parent.id(), "workspace", "isolated");
    }

    private static Path directoryOf(Session session) {
        return Path.of(session.show().expect(200).text("cwd"));
    }

    @Test
    void aChildWorksOnACopyAndItsChangesComeHomeAtItsEnd() throws Exception {
        parent.bash("printf a > kept; printf b > taken; printf c > removed; printf d > both; printf s > same; "
                + "mkdir ignored; printf i > ignored/file; echo ignored/ > .gitignore; ln -s kept link");
        Session child = child();
        Path copy = directoryOf(child);
        assertThat(copy).isNotEqualTo(directory);
        assertThat(copy.resolve("kept")).hasContent("a");
        assertThat(copy.resolve("ignored")).doesNotExist();
        assertThat(Files.readSymbolicLink(copy.resolve("link"))).hasToString("kept");

        child.bash("printf B > taken; rm removed; printf childs > both; printf n > new; chmod +x new; printf S > same; "
                + "printf x > .other");
        child.job("while :; do printf more >> running; sleep 0.05; done");
        Await.until("the job wrote", () -> Files.exists(copy.resolve("running")));
        assertThat(directory.resolve("new")).doesNotExist();
        parent.bash("printf parents > both; printf A > kept; printf S > same");

        Map<String, Object> ended = child.end().expect(200).json();

        assertThat(ended).containsEntry("state", "ended");
        assertThat(Json.at(ended, "handBack", "taken")).isEqualTo(List.of(".other", "new", "running", "taken"));
        assertThat(Json.at(ended, "handBack", "removed")).isEqualTo(List.of("removed"));
        assertThat(Json.at(ended, "handBack", "same")).isEqualTo(1L);
        assertConflict(ended);
        assertThat(directory.resolve("taken")).hasContent("B");
        assertThat(directory.resolve("new")).hasContent("n").isExecutable();
        assertThat(directory.resolve("removed")).doesNotExist();
        assertThat(directory.resolve("both")).hasContent("parents");
        assertThat(directory.resolve("kept")).hasContent("A");
        assertThat(directory.resolve("ignored/file")).hasContent("i");
        assertThat(copy).isSymbolicLink();
        assertThat(copy.toRealPath()).isEqualTo(directory.toRealPath());
        assertThat(parent.entries()).last().satisfies(entry -> {
            assertThat(entry).containsEntry("kind", "notice");
            assertThat(Json.at(entry, "body", "notice")).isEqualTo("child_ended");
            assertThat(Json.at(entry, "body", "session")).isEqualTo(child.id());
            assertThat(Json.at(entry, "body", "handBack")).isEqualTo(ended.get("handBack"));
        });
        assertThat(child.end().expect(200).json()).isEqualTo(ended);
    }

    private static void assertConflict(Map<String, Object> ended) throws IOException {
        @SuppressWarnings("unchecked")
        List<Map<String, Object>> conflicts = (List<Map<String, Object>>) Json.at(ended, "handBack", "conflicts");
        assertThat(conflicts)
                .singleElement()
                .satisfies(conflict ->
                        assertThat(conflict).containsEntry("path", "both").containsEntry("reason", "both_changed"));
        assertThat(Path.of((String) conflicts.getFirst().get("childVersion"))).hasContent("childs");
    }

    @Test
    void theEndOfTheParentBringsTheWorkOfAGrandchildHome() throws Exception {
        parent.bash("printf a > file");
        Session child = child();
        Session grandchild = Session.open(api, null, "parent", child.id(), "workspace", "isolated");
        grandchild.bash("printf deep > found");
        assertThat(directoryOf(child).resolve("found")).doesNotExist();

        parent.end().expect(200);

        assertThat(directory.resolve("found")).hasContent("deep");
        assertThat(Json.at(child.show().json(), "handBack", "taken")).isEqualTo(List.of("found"));
        assertThat(Json.at(grandchild.show().json(), "handBack", "taken")).isEqualTo(List.of("found"));
    }

    @Test
    void aChildThatIsOpenedAgainWorksInItsParentsDirectory() throws Exception {
        Session child = child();
        child.bash("printf a > first");
        child.end().expect(200);

        child.post("/reopen", Map.of()).expect(200);

        assertThat(child.bash("pwd -P; printf b > second").json()).containsEntry("exitCode", 0L);
        assertThat(directory.resolve("second")).hasContent("b");
        child.end().expect(200);
        assertThat(directory.resolve("first")).hasContent("a");
        assertThat(directory.resolve("second")).hasContent("b");
    }

    @Test
    void aChildOfASharedWorkspaceHasNothingToHandBack() {
        Session child = Session.open(api, null, "parent", parent.id());
        assertThat(directoryOf(child)).isEqualTo(directory);
        assertThat(child.end().expect(200).at("handBack")).isNull();
    }

    private Answer workspace(Object... fields) {
        Map<String, Object> body = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            body.put((String) fields[i], fields[i + 1]);
        }
        return api.post("/api/harness/workspaces", body);
    }

    private Answer handBack(String id) {
        return api.post("/api/harness/workspaces/" + id + "/hand-back", Map.of());
    }

    @Test
    void aWorkspaceOfItsOwnIsCopiedWorkedInAndHandedBackWithoutASession() throws Exception {
        parent.bash("printf a > kept; printf b > taken; printf d > both");
        Map<String, Object> made =
                workspace("parent", directory.toString()).expect(201).json();
        assertThat(made).containsEntry("mode", "isolated").containsEntry("state", "ready");
        String id = (String) made.get("workspaceId");
        Path copy = Path.of((String) made.get("directory"));
        assertThat(copy.resolve("kept")).hasContent("a");

        Session inside = Session.open(api, copy);
        inside.bash("printf B > taken; printf childs > both; printf n > new");
        String job = inside.job("sleep 600");
        assertThat(handBack(id).expectProblem(409, "CONFLICT").text("error")).contains("job-" + job, "stop them first");
        inside.end().expect(200);
        parent.bash("printf parents > both");

        Map<String, Object> home = handBack(id).expect(200).json();
        assertThat(home).containsEntry("state", "handed_back");
        assertThat(Json.at(home, "handBack", "taken")).isEqualTo(List.of("new", "taken"));
        assertConflict(home);
        assertThat(directory.resolve("new")).hasContent("n");
        assertThat(directory.resolve("both")).hasContent("parents");
        assertThat(copy.toRealPath()).isEqualTo(directory.toRealPath());
        assertThat(handBack(id).expect(200).json()).isEqualTo(home);
        assertThat(api.get("/api/harness/workspaces/" + id).expect(200).json()).isEqualTo(home);
    }

    @Test
    void aWorkspaceThatCannotBeIsRefusedAndASharedOneIsTheDirectoryItself() {
        workspace("parent", "relative").expectProblem(400, "INVALID");
        workspace("parent", directory + "/none").expectProblem(400, "INVALID");
        workspace("parent", directory.toString(), "mode", "mine").expectProblem(400, "INVALID");
        workspace("parent", directory.toString(), "cwd", "/").expectProblem(400, "INVALID");
        workspace().expectProblem(400, "INVALID");
        handBack("workspace-none").expectProblem(404, "NOT_FOUND");
        Map<String, Object> shared = workspace("parent", directory.toString(), "mode", "shared")
                .expect(201)
                .json();
        assertThat(shared).containsEntry("directory", directory.toString());
        assertThat(handBack((String) shared.get("workspaceId")).expect(200).at("handBack", "taken"))
                .isEqualTo(List.of());
    }

    @Test
    void anotherOwnersWorkspaceIsNotFoundAndADirectoryWithoutAGrantIsDenied() {
        String id = workspace("parent", directory.toString()).expect(201).text("workspaceId");
        Api other = api.with(server.issueToken("workspaces-" + UUID.randomUUID()));
        other.get("/api/harness/workspaces/" + id).expectProblem(404, "NOT_FOUND");
        other.post("/api/harness/workspaces/" + id + "/hand-back", Map.of()).expectProblem(404, "NOT_FOUND");
        other.post("/api/harness/workspaces", Map.of("parent", directory.toString()))
                .expectProblem(403, "DENIED");
        handBack(id).expect(200);
    }

    @Test
    void anIsolatedWorkspaceNeedsAParent() {
        Answer answer = Session.ask(api, directory, "workspace", "isolated");
        assertThat(answer.expectProblem(400, "INVALID").text("error")).contains("workspace", "parent");
    }
}
