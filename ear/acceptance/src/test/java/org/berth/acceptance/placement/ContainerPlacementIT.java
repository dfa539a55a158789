package org.berth.acceptance.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.LaunchRequests;
import org.berth.acceptance.Proc;
import org.berth.acceptance.StreamClient;
import org.berth.acceptance.podman.PodmanEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Launches in containers of a real rootless Podman, seen from outside. Source: placement.md, Container backend. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainerPlacementIT {
    private static final String SECRET = "s3cret-in-a-container";

    private static final String LOGIN = "{\"OPENAI_API_KEY\":\"l0gin-in-a-container\"}";

    private Path agents;
    private BerthServer server;
    private PodmanEngine engine;
    private Api api;

    /** The engine's key of host.yaml. */
    String placement(PodmanEngine engine) throws Exception {
        return "placement: podman\ncontainer:\n  socket: " + engine.socket() + "\n";
    }

    @BeforeAll
    void start() throws Exception {
        server = BerthServer.create("container-placement").environment("CONTAINER_TEST_SECRET", SECRET);
        server.start();
        engine = PodmanEngine.start(server);
        api = server.api();
        Path own = engine.socket().getParent();
        agents = server.directory("agents");
        makeAgent();
        Files.writeString(
                server.home().resolve("host.yaml"),
                placement(engine)
                        + """
                  image: "%s"
                  environment: { HOME: "%s/home", XDG_RUNTIME_DIR: "%s/run" }
                  memory: 64MiB
                  cpus: 0.5
                  pids: 64
                credentials:
                  login: { kind: file, driver: codex, source: { file: "%s" } }
                policies:
                  default: { driver: command }
                  agent: { driver: codex, profile: batch, executable: "%s", edits: true, credentials: [ login ] }
                references:
                  secret: { env: CONTAINER_TEST_SECRET }
                """.formatted(
                                        engine.image(),
                                        own,
                                        own,
                                        server.write(server.directory("secrets").resolve("login"), LOGIN),
                                        agents.toRealPath().resolve("codex")));
        api.post("/api/placement/host/reload", Map.of()).expect(200);
    }

    @AfterAll
    void end() throws Exception {
        if (engine != null) {
            engine.close();
        }
        server.close();
    }

    private static LaunchRequests script(String script) {
        return aLaunch().of("/bin/sh", "-c", script).cleanup("contained_tree").logged();
    }

    private String grant(Path root, String access) {
        return api.post(
                        "/api/placement/grants",
                        Map.of("root", root.toString(), "subpath", "", "access", access, "purpose", "project"))
                .expect(201)
                .text("grant_ref");
    }

    private Map<String, Object> run(LaunchRequests launch) {
        return api.awaitExit(api.started(launch));
    }

    private String logs(String id, String stream, String until) {
        return Await.value(
                "the log of " + id + " has " + until,
                () -> api.get(Api.ATTEMPTS + "/" + id + "/logs?stream=" + stream)
                        .text(),
                text -> text.contains(until));
    }

    private String container(String id) {
        return detail(id, "container.created", "container");
    }

    @SuppressWarnings("unchecked")
    private String detail(String id, String kind, String name) {
        return String.valueOf(((Map<String, Object>) api.awaitEvidence(id, kind).get("detail")).get(name));
    }

    private String inspected(String id, String format) throws Exception {
        return engine.podman("container", "inspect", "--format", format, container(id))
                .strip();
    }

    private boolean isThere(String container) throws Exception {
        return engine.podman("ps", "--all", "--no-trunc", "--format", "{{.ID}}").contains(container);
    }

    private void cleanUp(String id) throws Exception {
        String container = container(id);
        // A stream hears of the client's end; the record waits for what the engine says of the container.
        api.awaitState(id, "exited");
        api.cleanUp(id).expect(200);
        assertThat(isThere(container)).isFalse();
        assertThat(api.attempt(id)).containsEntry("cleanup_state", "complete");
        assertThat(api.evidenceKinds(id)).contains("container.removed", "cleanup.complete");
    }

    @Test
    void exit_codes_are_the_programs_own() throws Exception {
        for (int code : new int[] {0, 7, 143, 255}) {
            String id = api.started(script("exit " + code));
            assertThat(api.awaitExit(id)).as("exit %s", code).isEqualTo(Map.of("code", (long) code));
            cleanUp(id);
        }
    }

    @Test
    void both_streams_come_apart_and_whole() throws Exception {
        String id = api.prepared(aLaunch()
                .of(
                        "/bin/sh",
                        "-c",
                        "i=0; while [ $i -lt 3000 ]; do echo out $i; i=$((i+1)); done; echo err >&2; head -c 3000000"
                                + " /dev/zero")
                .cleanup("contained_tree"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(StreamClient.STDOUT, StreamClient.STDERR);
            String lines =
                    IntStream.range(0, 3000).mapToObj(i -> "out " + i + "\n").collect(Collectors.joining());
            assertThat(stream.text(StreamClient.STDOUT).startsWith(lines)).isTrue();
            assertThat(stream.count(StreamClient.STDOUT)).isEqualTo(lines.length() + 3_000_000);
            assertThat(stream.text(StreamClient.STDERR)).isEqualTo("err\n");
        }
        api.awaitExit(id);
        cleanUp(id);
    }

    @Test
    void the_input_of_one_turn_ends() throws Exception {
        String id = api.started(script("cat; echo end").stdin("one\ntwo\n", true));
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        assertThat(logs(id, "stdout", "end\n")).isEqualTo("one\ntwo\nend\n");
        cleanUp(id);
    }

    @Test
    void a_stream_gives_input_and_closes_it() throws Exception {
        String id = api.started(aLaunch().of("/bin/cat").cleanup("contained_tree"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            stream.input("hello\n".getBytes(StandardCharsets.UTF_8));
            stream.awaitText(StreamClient.STDOUT, "hello\n");
            stream.closeStdin();
            stream.awaitExit();
        }
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        cleanUp(id);
    }

    @Test
    void a_window_has_its_size_and_follows_it() throws Exception {
        String id = api.started(aLaunch()
                .of("/bin/sh", "-c", "while read line; do busybox stty size; done")
                .cleanup("contained_tree")
                .window(30, 100));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            Await.until("the window is 30 by 100", () -> {
                stream.input("x\n".getBytes(StandardCharsets.UTF_8));
                return stream.text(StreamClient.TTY).contains("30 100");
            });
            stream.resize(40, 120);
            Await.until("the window is 40 by 120", () -> {
                stream.input("x\n".getBytes(StandardCharsets.UTF_8));
                return stream.text(StreamClient.TTY).contains("40 120");
            });
            stream.closeStdin();
            stream.awaitExit();
        }
        cleanUp(id);
    }

    @Test
    void what_it_is_made_of_is_seen_from_outside() throws Exception {
        String id = api.started(
                script("echo up; sleep 1000").reference("TOKEN", "secret").environment("LINES_OF", "one\ntwo"));
        logs(id, "stdout", "up");
        assertThat(inspected(id, "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.NetworkMode}}"))
                .isEqualTo("true none");
        assertThat(inspected(id, "{{json .HostConfig.SecurityOpt}}")).contains("no-new-privileges");
        assertThat(inspected(id, "{{json .EffectiveCaps}}")).isIn("[]", "null");
        Map<String, Object> attempt = api.attempt(id);
        String labels = inspected(id, "{{json .Config.Labels}}");
        assertThat(labels)
                .contains("\"org.berth.attempt\":\"" + id + "\"")
                .contains("\"org.berth.owner\":\"owner\"")
                .contains("\"org.berth.host\":\""
                        + server.api().get("/api/placement/capabilities").text("host_id") + "\"")
                .contains("\"org.berth.action\":\"" + attempt.get("action_id") + "\"")
                .contains("org.berth.attempt-key")
                .contains("org.berth.request");
        assertThat(inspected(id, "{{.Image}}")).isEqualTo(detail(id, "container.created", "image"));
        // The engine says itself where it does not enforce limits; where it does they are there.
        assertThat(inspected(id, "{{.HostConfig.Memory}}")).isIn("67108864", "0");
        for (long pid : Proc.all()) {
            assertThat(String.join(" ", Proc.arguments(pid))).doesNotContain(SECRET);
        }
        assertThat(api.evidence(id).toString()).doesNotContain(SECRET);
        api.stop(id, "forced").expect(200);
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("signal", 9L));
        cleanUp(id);
    }

    @Test
    void the_program_has_its_variables_its_home_and_nothing_to_write_beside() throws Exception {
        String id = api.started(script("""
                echo "$TOKEN"; echo "$LINES_OF"; cd; pwd; echo kept > here && cat here; touch /tmp/t && echo tmp
                touch /bin/no 2>/dev/null || echo root-is-read-only; ls / | tr '\\n' ' '; grep CapEff /proc/self/status
                grep NoNewPrivs /proc/self/status; id -u; ls -A /sys/class/net
                """).reference("TOKEN", "secret").environment("LINES_OF", "one\ntwo"));
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        String home = server.home().toRealPath().resolve("placement/attempts").toString();
        assertThat(logs(id, "stdout", "lo\n"))
                .startsWith(SECRET + "\none\ntwo\n" + home)
                .contains("/home\nkept\ntmp\nroot-is-read-only\n")
                .containsPattern("CapEff:\\s+0000000000000000\n")
                .containsPattern("NoNewPrivs:\\s+1\n")
                .contains("\n" + server.user() + "\n");
        cleanUp(id);
    }

    /** A stand-in for an agent's program, in a directory that its launches are granted: it keeps count in its home. */
    private void makeAgent() throws Exception {
        Path program = server.write(agents.resolve("codex"), """
                #!/bin/sh
                echo turn >> "$HOME/turns"
                echo "turn $(grep -c turn "$HOME/turns") of $HOME in $(pwd) with $*" > turn.seen
                cat >> turn.seen
                cat "$HOME/.codex/auth.json" > login.seen
                cat "$CODEX_HOME/config.toml" > config.seen
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void an_agent_works_in_a_container_with_its_login_and_again_in_its_retained_home() throws Exception {
        Map<String, Object> run = Map.of(
                "policy_ref",
                "agent",
                "prompt",
                "do it",
                "session_ref",
                "contained",
                "directory",
                Map.of("grant_ref", grant(agents, "write")));
        for (int turn = 1; turn <= 2; turn++) {
            String id = api.post("/api/placement/agent-runs", run).expect(201).text("attempt", "attempt_id");
            api.start(id).expect(200);
            api.post("/api/placement/agent-runs", run).expectProblem(409, "CONFLICT");
            assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
            assertThat(agents.resolve("turn.seen"))
                    .content()
                    .startsWith(
                            "turn " + turn + " of " + server.home().toRealPath().resolve("placement/sessions"))
                    .contains(" in " + agents.toRealPath() + " with exec ")
                    .endsWith("do it");
            assertThat(agents.resolve("login.seen")).hasContent(LOGIN);
            assertThat(agents.resolve("config.seen")).content().contains("sandbox_mode");
            assertThat(inspected(id, "{{json .Config}}")).doesNotContain("l0gin-in-a-container");
            assertThat(api.evidence(id).toString()).doesNotContain("l0gin-in-a-container");
            cleanUp(id);
        }
    }

    @Test
    void granted_directories_are_there_with_their_access() throws Exception {
        Path work = server.directory("work");
        Path data = server.directory("data");
        Files.writeString(data.resolve("given"), "given\n");
        server.give(data);
        String id = api.started(script("pwd; cat " + data.toRealPath() + "/given; echo made > made; touch "
                        + data.toRealPath() + "/no 2>/dev/null || echo read-only")
                .workingDirectory(grant(work, "write"))
                .resource("data", grant(data, "read"), "read", "project"));
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        assertThat(logs(id, "stdout", "read-only")).isEqualTo(work.toRealPath() + "\ngiven\nread-only\n");
        assertThat(work.resolve("made")).hasContent("made");
        cleanUp(id);
    }

    @Test
    void directories_that_overlap_are_refused_before_anything_exists() throws Exception {
        Path work = server.directory("work");
        Path below = Files.createDirectory(work.resolve("below"));
        server.give(work);
        LaunchRequests launch = script("true")
                .workingDirectory(grant(work, "write"))
                .resource("below", grant(below, "read"), "read", "project");
        assertThat(api.prepare(launch).expectProblem(400, "INVALID").text()).contains("overlap");
        assertThat(api.status(launch.attemptId()).status()).isEqualTo(404);
    }

    @Test
    void a_grandchild_in_a_session_of_its_own_dies_with_the_container() throws Exception {
        String mark = "98" + System.nanoTime() % 1_000_000;
        String id = api.started(script("busybox setsid sleep " + mark + " & sleep 0.2; echo up; sleep 0.5"));
        logs(id, "stdout", "up");
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        assertThat(Proc.all()).noneMatch(pid -> Proc.arguments(pid).contains(mark) && Proc.lives(pid));
        cleanUp(id);
    }

    @Test
    void a_stop_reaches_the_program_and_a_deaf_one_is_killed_after_the_grace() throws Exception {
        String polite = api.started(script("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.1; done"));
        logs(polite, "stdout", "up");
        api.stop(polite, "cooperative").expect(200);
        assertThat(api.awaitExit(polite)).isEqualTo(Map.of("code", 3L));
        assertThat(logs(polite, "stdout", "bye")).isEqualTo("up\nbye\n");
        cleanUp(polite);

        String deaf = api.started(
                script("trap '' TERM; echo up; while :; do sleep 0.1; done").timeout("stop_grace_ms", 1000));
        logs(deaf, "stdout", "up");
        api.stop(deaf, "cooperative").expect(200);
        assertThat(api.awaitExit(deaf)).isEqualTo(Map.of("signal", 9L));
        cleanUp(deaf);
    }

    @Test
    void a_program_that_the_image_does_not_have_ends_without_a_code() throws Exception {
        String id = api.started(aLaunch().of("/no/such/program").cleanup("contained_tree"));
        assertThat(api.awaitExit(id)).containsKey("unknown");
        api.cleanUp(id).expect(200);
    }

    @Test
    void a_container_removed_behind_our_back_is_absent() throws Exception {
        String id = api.started(script("echo up; sleep 1000"));
        logs(id, "stdout", "up");
        engine.podman("rm", "--force", "--time", "0", container(id));
        assertThat(api.awaitExit(id)).containsKey("unknown");
        cleanUp(id);
    }

    @Test
    void a_container_whose_client_was_killed_is_killed_too() throws Exception {
        String id = api.started(script("echo up; sleep 1000"));
        logs(id, "stdout", "up");
        String container = container(id);
        Proc.all().stream()
                .filter(pid -> Proc.arguments(pid).contains(container)
                        && Proc.arguments(pid).contains("--attach"))
                .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("signal", 9L));
        assertThat(api.evidenceKinds(id)).contains("container.killed");
        assertThat(inspected(id, "{{.State.Status}}")).isEqualTo("exited");
        cleanUp(id);
    }

    @Test
    void a_killed_server_loses_neither_the_exit_code_nor_the_output() throws Exception {
        Path work = server.directory("work");
        String script = "i=0; while [ $i -lt 500 ]; do echo $i; i=$((i+1)); done; touch up; while [ ! -e go ]; do sleep"
                + " 0.1; done; while [ $i -lt 1000 ]; do echo $i; i=$((i+1)); done; touch over; exit 9";
        String id = api.started(script(script).workingDirectory(grant(work, "write")));
        Await.until("the first half is out", () -> Files.exists(work.resolve("up")));
        server.kill9();
        Files.createFile(work.resolve("go"));
        Await.until("the second half is out", () -> Files.exists(work.resolve("over")));
        server.start();
        api = server.api();
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 9L));
        String lines = IntStream.range(0, 1000).mapToObj(i -> i + "\n").collect(Collectors.joining());
        assertThat(logs(id, "stdout", "999\n")).isEqualTo(lines);
        cleanUp(id);
    }

    @Test
    void a_killed_supervisor_leaves_no_container_running() throws Exception {
        String id = api.started(script("while :; do echo up; sleep 0.1; done"));
        logs(id, "stdout", "up");
        server.killSupervisor();
        Map<String, Object> exit = api.awaitExit(id);
        assertThat(exit).isNotEqualTo(Map.of("code", 0L));
        assertThat(inspected(id, "{{.State.Status}}")).isEqualTo("exited");
        cleanUp(id);
    }

    @Test
    void the_host_says_what_it_has() throws Exception {
        String[] version = engine.podman("--version").strip().split(" ");
        Map<String, Object> capabilities =
                api.get("/api/placement/capabilities").expect(200).json();
        assertThat(capabilities.get("container").toString())
                .contains("podman")
                .contains(version[version.length - 1])
                .contains("sha256:");
        assertThat(List.of(api.get("/api/placement/host").expect(200).at("container"))
                        .toString())
                .contains("network=none");
    }
}
