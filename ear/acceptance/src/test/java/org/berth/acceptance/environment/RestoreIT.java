package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reference's "exact contained checkpoint and restore" and "normal exact restore on recreated compute", over HTTP on
 * OpenShell's double.
 */
class RestoreIT {
    private static BerthServer server;

    private RestoreWorld f;

    @BeforeAll
    static void start() {
        server = BerthServer.create("restore").withGuestListener().start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @BeforeEach
    void build() {
        f = new RestoreWorld(server);
    }

    @AfterEach
    void putBack() {
        f.close();
    }

    @ParameterizedTest
    @CsvSource({
        "unchanged,",
        "changed,",
        "added,",
        "removed,",
        "missing-source,invalid_environment_file",
        "stale-destination,environment_projection_changed",
        "missing-destination,environment_file_missing",
        "missing-history,environment_checkpoint_changed",
        "changed-history,environment_checkpoint_changed",
    })
    void exactRestoreOnRecreatedComputeVerifiesTheDestinationsContextWithoutReplay(String mode, String refusal)
            throws IOException {
        f.recreated();
        byte[] kept = Files.readAllBytes(f.kept());
        change(mode);

        Map<String, Object> row = f.restore();

        if (refusal != null) {
            assertThat(row)
                    .as("%s: %s", mode, row)
                    .containsEntry("status", "attention_required")
                    .containsEntry("code", refusal);
            assertThat(f.tree().resolve("control/launch.json")).doesNotExist();
            assertThat(f.world().openShell().helperCalls("--prepare")).isEqualTo(1);
            assertThat(f.world().up()).containsEntry("code", "environment_exact_resume_required");
            return;
        }
        assertThat(row)
                .as("%s: %s", mode, row)
                .containsEntry("status", "resumed")
                .containsEntry("nativeId", f.nativeId())
                .containsEntry("checkpoint", f.checkpointId());
        assertThat(f.tree().resolve("work/.openrig/context/role")).hasContent("Required restored role");
        assertThat(f.tree().resolve(RestoreWorld.SKILL))
                .hasContent(mode.equals("changed") ? "Current skill revision for report 2" : "Required restored skill");
        assertThat(Files.exists(f.tree().resolve("work/.claude/skills/skill/new-reference.md")))
                .isEqualTo(mode.equals("added"));
        assertThat(Files.exists(f.tree().resolve("work/.claude/skills/skill/old-reference.md")))
                .isEqualTo(!mode.equals("removed"));
        assertThat(f.tree().resolve("work/.claude/plugins/restored-plugin/.claude-plugin/plugin.json"))
                .exists();
        assertThat(f.tree().resolve("work/.openrig/startup/startup.md"))
                .hasContent("Required filesystem startup, never conversation input");
        assertThat(row.get("context")).isEqualTo(difference(mode));
        Map<String, Object> descriptor = Json.object(BerthServer.read(f.tree().resolve("control/launch.json")));
        assertThat(descriptor).containsEntry("resumeToken", f.nativeId()).containsEntry("nativeId", f.nativeId());
        assertThat(descriptor.get("plugins"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(2);
        f.awaitResumed();
        byte[] now = Files.readAllBytes(f.history());
        assertThat(Arrays.copyOf(now, kept.length)).isEqualTo(kept);
        assertThat(BerthServer.read(f.history())).doesNotContain("NEVER REPLAY");

        assertThat(f.restore()).containsEntry("status", "resumed").containsEntry("generation", row.get("generation"));
        assertThat(f.world().openShell().helperCalls("--prepare")).isEqualTo(2);
        assertThat(f.world().up()).containsEntry("status", "up").containsEntry("nativeId", f.nativeId());
    }

    private void change(String mode) {
        switch (mode) {
            case "unchanged" -> {}
            case "missing-source" -> f.remove(f.source("startup.md"));
            case "changed" -> f.write(f.source("skill/SKILL.md"), "Current skill revision for report 2");
            case "added" -> f.write(f.source("skill/new-reference.md"), "Current added skill reference");
            case "removed" -> f.remove(f.source("skill/old-reference.md"));
            case "stale-destination" -> f.world().openShell().fault("exec", "always:stale=" + RestoreWorld.SKILL);
            case "missing-destination" -> f.world().openShell().fault("exec", "always:missing=" + RestoreWorld.SKILL);
            case "missing-history" -> f.remove(f.kept());
            case "changed-history" -> f.write(f.kept(), "Changed retained history");
            default -> throw new IllegalArgumentException(mode);
        }
    }

    private static Map<String, Object> difference(String mode) {
        String skill = "work/.claude/skills/skill/";
        return Map.of(
                "changed", mode.equals("changed") ? List.of(skill + "SKILL.md") : List.of(),
                "added", mode.equals("added") ? List.of(skill + "new-reference.md") : List.of(),
                "removed", mode.equals("removed") ? List.of(skill + "old-reference.md") : List.of());
    }

    @Test
    @SuppressWarnings("unchecked")
    void theSnapshotCarriesNonsecretEnvironmentNativeAndCheckpointReferences() {
        f.captured();
        Map<String, Object> taken = f.snapshot().expect(201).json();
        Map<String, Object> data = (Map<String, Object>) taken.get("data");
        Map<String, Object> bindings = (Map<String, Object>) data.get("environmentBindingsByNode");
        assertThat(bindings).hasSize(1);
        assertThat((Map<String, Object>) bindings.get(f.world().nodeId()))
                .containsEntry("bindingId", f.world().binding())
                .containsEntry("checkpointId", f.checkpointId())
                .containsEntry("nativeId", f.nativeId())
                .containsEntry("nativeType", "community:openshell-claude")
                .containsEntry("nativeState", "/sandbox/openrig/native")
                .containsEntry("destinationCwd", "/sandbox/openrig/work");
        assertThat(Json.write(taken)).doesNotContain("begin");
        List<Map<String, Object>> listed = Json.objects(
                f.world()
                        .get("/api/rigs/" + f.world().rigId() + "/snapshots")
                        .expect(200)
                        .json(),
                "snapshots");
        assertThat(listed).extracting(each -> each.get("id")).containsExactly(taken.get("id"), f.snapshotId());
        assertThat(f.world()
                        .get("/api/snapshots/" + taken.get("id"))
                        .expect(200)
                        .json())
                .isEqualTo(taken);
        f.world().get("/api/snapshots/nothing").expectProblem(404, "snapshot_missing");
    }

    @Test
    void aSnapshotOfComputeThatWasNotRecreatedRestoresNothing() {
        f.captured();
        assertThat(f.restore())
                .containsEntry("status", "attention_required")
                .containsEntry("code", "environment_checkpoint_missing");
        assertThat(f.world().openShell().helperCalls("--prepare")).isEqualTo(1);
    }

    @Test
    void recreationIsRefusedUntilThePredecessorIsGoneAndIsDoneOnce() {
        f.captured();
        f.recreate().expectProblem(409, "environment_predecessor_present");
        f.delete();
        assertThat(f.world().up()).as("deleted compute is not up").containsEntry("code", "environment_not_ready");
        Map<String, Object> missing = f.recreation();
        missing.put("checkpointId", "missing");
        f.world().on("recreate", missing).expectProblem(409, "environment_checkpoint_missing");
        Map<String, Object> foreign = f.recreation();
        foreign.put("resumeType", "codex_id");
        foreign.put("resumeToken", "foreign");
        f.world().on("recreate", foreign).expectProblem(409, "environment_checkpoint_missing");
        assertThat(f.world().openShell().calls("create")).isEqualTo(1);
        Map<String, Object> receipt = f.recreate().expect(200).json();
        assertThat(receipt).containsEntry("state", "confirmed").containsEntry("nativeId", f.nativeId());
        assertThat(f.recreate().expect(200).json()).isEqualTo(receipt);
        assertThat(f.world().openShell().calls("create")).isEqualTo(2);
    }

    @Test
    void changedPrivateHistoryIsRefusedBeforeAnySuccessorIsMade() {
        f.deleted();
        f.write(f.kept(), "changed history");
        Map<String, Object> body = f.recreation();
        body.put("placement", Map.of());
        f.world().on("recreate", body).expectProblem(409, "environment_checkpoint_changed");
        assertThat(f.world().openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void aLostReplyOfTheProviderIsFoundAgain() {
        f.deleted();
        f.world().openShell().fault("create", "lose-reply");
        assertThat(f.recreate().expect(200).text("state")).isEqualTo("unconfirmed");
        assertThat(f.recreate().expect(200).text("state")).isEqualTo("confirmed");
        assertThat(f.world().openShell().calls("create")).isEqualTo(2);
        assertThat(f.restore()).containsEntry("status", "resumed");
    }

    @Test
    void noOtherConversationIsLaunchedOnRecreatedCompute() {
        f.recreated();
        f.world().project(f.world().id("p"), "generation-two", List.of()).expect(200);
        f.world()
                .on("launch", Map.of("generation", "generation-two"))
                .expectProblem(409, "environment_exact_resume_required");
        f.world()
                .on(
                        "launch",
                        Map.of(
                                "generation",
                                "generation-two",
                                "resume",
                                Map.of("type", "community:openshell-claude", "token", "another")))
                .expectProblem(409, "environment_checkpoint_identity_mismatch");
        f.world()
                .on("launch", Map.of("generation", "generation-two", "forkSource", Map.of("kind", "native_id")))
                .expectProblem(409, "environment_restore_unsupported");
        assertThat(f.world().openShell().helperCalls("--prepare")).isEqualTo(1);
    }

    @Test
    void aCheckpointThatASnapshotNamesIsKept() {
        f.captured();
        delete("/api/checkpoints/" + f.checkpointId()).expectProblem(409, "environment_checkpoint_in_use");
        assertThat(f.kept()).exists();
        delete("/api/snapshots/" + f.snapshotId()).expect(200);
        delete("/api/snapshots/" + f.snapshotId()).expectProblem(404, "snapshot_missing");
        delete("/api/checkpoints/" + f.checkpointId()).expect(200);
    }

    private Answer delete(String path) {
        return Api.send(server.api()
                .request(path)
                .header("X-OpenRig-Session", f.world().coordinator())
                .DELETE()
                .build());
    }
}
