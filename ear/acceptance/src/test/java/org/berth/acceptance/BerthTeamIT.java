package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.BerthCommand.Outcome;
import org.berth.acceptance.environment.EnvironmentWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Teams and environments as a person works with them: the example, a rig, an environment, its work and its artifact. */
class BerthTeamIT {
    private EnvironmentWorld world;
    private BerthCommand berth;
    private Path example;

    @BeforeEach
    void aCommandForAWorld() {
        world = new EnvironmentWorld(BerthServer.shared());
        example = world.directory("team").resolve("example");
        world.giveAll();
        berth = new BerthCommand(BerthServer.shared());
        berth.environment("PATH", world.openShell().executable().getParent() + ":" + System.getenv("PATH"));
    }

    @AfterEach
    void putBack() {
        world.close();
    }

    private Outcome setup(String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("environment", "setup", "--directory", example.toString(), "--driver", "openshell"));
        arguments.addAll(List.of(more));
        return berth.run(arguments.toArray(String[]::new));
    }

    private Outcome create() {
        return berth.run(
                "environment",
                "create",
                world.binding(),
                "--seat",
                world.seat(),
                "--node",
                world.nodeId(),
                "--gateway",
                "gateway",
                "--workspace",
                world.workspace(),
                "--name",
                "worker-one",
                "--image",
                "image@sha256:" + "a".repeat(64),
                "--provider",
                "provider-ref",
                "--policy",
                example.resolve("policy.yaml").toString());
    }

    private static Outcome good(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        return outcome;
    }

    @Test
    void setupInstallsOnceKeepsWhatDiffersAndRefusesPortsThatAreNoGuests() throws Exception {
        assertThat(good(setup()).out()).contains("11 files written");
        assertThat(good(setup()).out()).contains("0 files written, 11 were there");

        Path rig = example.resolve("rig.yaml");
        Files.writeString(rig, "mine\n");
        Outcome kept = setup();
        assertThat(kept.code()).isEqualTo(1);
        assertThat(kept.err()).contains("An existing file is preserved: " + rig);
        assertThat(rig).hasContent("mine");

        int daemon = 7433 + BerthServer.shared().portOffset();
        assertThat(setup("--guest-base-url", "http://host.openshell.internal:" + daemon)
                        .code())
                .isEqualTo(2);
        int management = BerthServer.shared().managementPort();
        assertThat(setup("--mcp-url", "http://host.openshell.internal:" + management + "/mcp")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void anEnvironmentIsMadeFilledAndItsArtifactComesHome() throws Exception {
        String prepared = good(setup("--binding", world.binding(), "--seat", world.seat(), "--rig", world.rigName()))
                .out();
        Path connection = world.server().home().resolve("environments/files/" + world.binding() + "/work.json");
        String token = (String) Json.object(BerthServer.read(connection)).get("token");
        assertThat(prepared).contains(connection.toString()).doesNotContain(token);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(connection)))
                .isEqualTo("rw-------");

        assertThat(good(create()).out()).contains("Ready, owned");
        good(create());
        assertThat(world.openShell().calls("create")).isEqualTo(1);
        assertThat(good(berth.run("environment", "inspect", world.binding(), "--live"))
                        .out())
                .contains("Environment " + world.binding(), world.seat(), "just now", "create-" + world.binding());

        Path notes = world.file("notes.md", "read this\n");
        good(berth.run(
                "environment",
                "project",
                world.binding(),
                "--generation",
                "generation-one",
                "--file",
                notes + "=work/notes.md"));
        assertThat(world.tree().resolve("work/notes.md")).hasContent("read this");

        String task = world.id("task");
        good(berth.run("queue", "create", "--to", world.seat(), "--id", task, "--body", "Produce the report"));
        Path request = request(task);
        String receipt = good(berth.run(
                        "environment", "export", world.binding(), "--request", request.toString(), "--json"))
                .out();
        assertThat(Path.of((String) Json.object(receipt).get("path")))
                .hasContent(report(task))
                .hasParent(example.toRealPath().resolve("artifacts/" + world.binding()));
        assertThat(good(berth.run("queue", "show", task)).out()).contains("Produce the report", world.id("export"));
    }

    private static String report(String task) {
        return "{\"task\":\"" + task + "\"}";
    }

    private Path request(String task) throws Exception {
        Path artifact = world.tree().resolve("work/artifacts/report.json");
        Files.createDirectories(artifact.getParent());
        Files.writeString(artifact, report(task));
        world.server().give(artifact);
        return world.file(
                "request.json",
                Json.write(Map.of(
                        "operationId",
                        world.id("export"),
                        "taskId",
                        task,
                        "generation",
                        "generation-one",
                        "path",
                        "report.json",
                        "sha256",
                        EnvironmentWorld.sha256(report(task)),
                        "bytes",
                        report(task).length(),
                        "schema",
                        Map.of(
                                "format",
                                "json-object/v1",
                                "fields",
                                Map.of("task", "string"),
                                "required",
                                List.of("task")),
                        "context",
                        Map.of("task", task))));
    }

    @Test
    void aCreateWhoseAnswerIsLostIsRepeatedByTheSameCommand() {
        good(setup());
        world.openShell().fault("create", "lose-reply");

        Outcome lost = create();
        assertThat(lost.code()).as(lost.err()).isEqualTo(1);
        assertThat(lost.err()).contains("not confirmed", "Repeat exactly this command");
        good(create());
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void rigUpMakesTheRigOfAFileAndSaysWhatEachMemberNeeds() throws Exception {
        String name = world.id("made");
        Path file = world.file("made/rig.yaml", """
                version: "0.2"
                name: %s
                pods:
                  - id: team
                    members:
                      - id: worker
                        agent_ref: local:agents/worker
                        runtime: openshell-claude
                        profile: default
                        cwd: .
                """.formatted(name));

        Outcome up = berth.run("rig", "up", file.toString());
        assertThat(up.code()).as(up.err()).isEqualTo(1);
        assertThat(up.out())
                .contains("team-worker@" + name, "attention", "environment_binding_missing")
                .contains("berth environment create BINDING --seat team-worker@" + name);
        assertThat(good(berth.run("rig", "ls")).out()).contains(name);
        assertThat(good(berth.run("rig", "show", name)).out()).contains("team-worker@" + name, "openshell-claude");

        String task = world.id("work");
        String seat = "team-worker@" + name;
        good(berth.run("queue", "create", "--to", seat, "--id", task, "--body", "Look around"));
        good(berth.run("queue", "claim", task, "--as", seat));
        good(berth.run("queue", "update", task, "--as", seat, "--state", "done", "--reason", "no-follow-on"));
        assertThat(good(berth.run("queue", "list", "--to", seat, "--state", "done"))
                        .out())
                .contains(task);
        Outcome stranger = berth.run("queue", "claim", task, "--as", "stranger@" + name);
        assertThat(stranger.code()).isEqualTo(1);
        assertThat(stranger.err()).contains("berth queue show");

        good(berth.run("rig", "rm", name));
        assertThat(berth.run("rig", "show", name).code()).isEqualTo(1);
    }
}
