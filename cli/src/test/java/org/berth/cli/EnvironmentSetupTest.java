package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code environment setup}: what it writes, what it keeps, what it refuses. */
@Timeout(60)
class EnvironmentSetupTest {
    private static final String GRANTS = "/api/grants/work";
    private static final List<String> NAMES = List.of(
            "Dockerfile",
            "README.md",
            "agents/coordinator/agent.yaml",
            "agents/coordinator/role.md",
            "agents/worker/agent.yaml",
            "agents/worker/role.md",
            "claude-code-provider.yaml",
            "driver-v1.schema.json",
            "guest.py",
            "policy.yaml",
            "rig.yaml");

    @TempDir
    private Path directory;

    private ScriptedServer server;
    private Invocation berth;
    private Path example;
    private Path home;

    @BeforeEach
    void aServer() {
        server = new ScriptedServer();
        server.on("GET " + GRANTS, 200, "{\"grants\":[]}");
        home = directory.resolve("home");
        example = directory.resolve("example");
        berth = new Invocation(server.url()).with("BERTH_HOME", home.toString());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private int setup(String... more) {
        List<String> arguments = new ArrayList<>(List.of("environment", "setup", "--directory", example.toString()));
        arguments.addAll(List.of(more));
        return berth.run(arguments.toArray(String[]::new));
    }

    private int connected() {
        return setup(
                "--binding",
                "worker-one",
                "--seat",
                "team-worker@openshell-example",
                "--rig",
                "openshell-example",
                "--json");
    }

    private List<String> present() throws IOException {
        if (!Files.exists(example)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(example)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> example.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void it_installs_every_file_for_its_owner_only() throws IOException {
        assertThat(setup()).as(berth.err()).isZero();

        assertThat(present()).isEqualTo(NAMES);
        assertThat(NAMES)
                .allSatisfy(name -> assertThat(
                                PosixFilePermissions.toString(Files.getPosixFilePermissions(example.resolve(name))))
                        .isEqualTo("rw-------"));
        assertThat(berth.out())
                .contains("11 files written", "berth host reload", "berth environment create worker-one");
    }

    @Test
    void the_same_again_is_fine_and_writes_nothing() throws IOException {
        setup();
        var before = Files.getLastModifiedTime(example.resolve("policy.yaml"));

        assertThat(setup("--json")).isZero();
        assertThat(Files.getLastModifiedTime(example.resolve("policy.yaml"))).isEqualTo(before);
        assertThat(berth.out()).contains("\"written\":false").doesNotContain("\"written\":true");
    }

    @Test
    void a_file_that_differs_is_kept_and_nothing_is_written() throws IOException {
        Files.createDirectories(example);
        Files.writeString(example.resolve("rig.yaml"), "mine\n");

        assertThat(setup()).isEqualTo(1);
        assertThat(berth.err()).contains("An existing file is preserved: " + example.resolve("rig.yaml"));
        assertThat(present()).containsExactly("rig.yaml");
        assertThat(example.resolve("rig.yaml")).hasContent("mine");
    }

    @Test
    void a_link_in_a_files_place_is_kept_even_when_its_bytes_are_right() throws IOException {
        setup();
        Path elsewhere = directory.resolve("elsewhere");
        Files.move(example.resolve("rig.yaml"), elsewhere);
        Files.createSymbolicLink(example.resolve("rig.yaml"), elsewhere);

        assertThat(setup()).isEqualTo(1);
        assertThat(berth.err()).contains("An existing file is preserved");
    }

    @Test
    void the_policy_names_exactly_the_two_listeners_and_the_agents_check() throws IOException {
        assertThat(setup("--mcp-url", "http://box.test:8001/mcp", "--guest-base-url", "http://box.test:8002"))
                .isZero();

        String policy = Files.readString(example.resolve("policy.yaml"));
        assertThat(policy.lines().map(String::strip).filter(line -> line.matches("(- host|port): .*")))
                .containsExactly(
                        "- host: box.test",
                        "port: 8001",
                        "- host: box.test",
                        "port: 8002",
                        "- host: platform.claude.com",
                        "port: 443");
        assertThat(policy).doesNotContain("{{").contains("access: read-only");
    }

    @Test
    void the_usual_listeners_move_with_the_port_offset() throws IOException {
        berth.with("BERTH_PORT_OFFSET", "100");

        assertThat(setup()).isZero();
        assertThat(Files.readString(example.resolve("policy.yaml")))
                .contains("host: host.openshell.internal", "port: 7881", "port: 7882");
    }

    @Test
    void more_endpoints_are_allowed_by_name() throws IOException {
        assertThat(setup("--allow", "api.anthropic.com:443")).isZero();

        assertThat(Files.readString(example.resolve("policy.yaml"))).endsWith("""
                          allowed_api_anthropic_com_443:
                            endpoints:
                              - host: api.anthropic.com
                                port: 443
                                protocol: rest
                                access: read-write
                                enforcement: enforce
                            binaries:
                              - path: /usr/local/bin/claude
                        """);
        assertThat(setup("--allow", "api.anthropic.com")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--mcp-url=http://h:7433/mcp",
                "--guest-base-url=http://h:7433",
                "--mcp-url=http://h:9990/mcp",
                "--guest-base-url=http://h:9990",
                "--guest-base-url=http://h:7781",
                "--mcp-url=http://h:7781",
                "--mcp-url=ftp://h:7781/mcp",
                "--mcp-url=http://h:7781/mcp?token=x",
                "--guest-base-url=http://h:7782/api",
                "--guest-base-url=http://h:7782#x",
                "--guest-base-url=http://:7782",
                "--guest-base-url=http://h:70000"
            })
    void an_address_that_is_no_guests_is_refused_and_nothing_is_written(String option) throws IOException {
        assertThat(setup(option)).isEqualTo(2);
        assertThat(present()).isEmpty();
    }

    @Test
    void the_port_of_the_server_that_is_asked_is_refused_too() throws IOException {
        assertThat(setup("--mcp-url", "http://h:" + server.port() + "/mcp")).isEqualTo(2);
        assertThat(berth.err()).contains("the daemon's");
        assertThat(present()).isEmpty();
    }

    @Test
    void credentials_in_an_address_are_refused_and_not_repeated() {
        assertThat(setup("--mcp-url", "http://me:hunter2@h:7781/mcp")).isEqualTo(2);
        assertThat(berth.err()).contains("credentials").doesNotContain("hunter2");
    }

    @Test
    void the_work_connection_is_a_private_file_and_its_token_is_shown_nowhere() throws IOException {
        server.on("POST " + GRANTS, 201, "{\"grantId\":\"g1\",\"token\":\"only-here\"}");

        assertThat(connected()).as(berth.err()).isZero();

        Path file = home.resolve("environments/files/worker-one/work.json");
        assertThat(berth.out())
                .contains("\"workConnectionRef\":\"" + file + "\"")
                .doesNotContain("only-here");
        assertThat(berth.err()).doesNotContain("only-here");
        assertThat(server.bodies("POST " + GRANTS))
                .containsExactly("{\"name\":\"environment-worker-one\",\"seat\":\"team-worker@openshell-example\","
                        + "\"rigs\":[\"openshell-example\"]}");
        assertThat(file)
                .hasContent("{\"version\":1,\"mcpUrl\":\"http://host.openshell.internal:7781/mcp\","
                        + "\"seat\":\"team-worker@openshell-example\",\"rig\":\"openshell-example\","
                        + "\"grantName\":\"environment-worker-one\",\"artifactRoot\":\"" + example.resolve("artifacts")
                        + "\",\"token\":\"only-here\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        assertThat(example.resolve("artifacts")).isDirectory();
    }

    @Test
    void a_connection_whose_grant_holds_is_kept() throws IOException {
        server.on("POST " + GRANTS, 201, "{\"token\":\"first\"}");
        connected();
        server.on(
                "GET " + GRANTS,
                200,
                "{\"grants\":[{\"name\":\"environment-worker-one\",\"seat\":\"team-worker@openshell-example\","
                        + "\"rigs\":[\"openshell-example\"],\"revokedAt\":null}]}");

        assertThat(connected()).as(berth.err()).isZero();
        assertThat(server.bodies("POST " + GRANTS)).hasSize(1);
        assertThat(home.resolve("environments/files/worker-one/work.json"))
                .content()
                .contains("first");
    }

    @Test
    void a_connection_whose_grant_was_revoked_is_kept_and_refused() {
        server.on("POST " + GRANTS, 201, "{\"token\":\"first\"}").on("GET " + GRANTS, 200, "{\"grants\":[]}");
        connected();

        assertThat(connected()).isEqualTo(1);
        assertThat(berth.err()).contains("is kept", "revoked");
        assertThat(server.bodies("POST " + GRANTS)).hasSize(1);
    }

    @Test
    void another_connection_of_the_same_binding_is_kept_and_refused() {
        server.on("POST " + GRANTS, 201, "{\"token\":\"first\"}");
        connected();

        assertThat(setup("--binding", "worker-one", "--seat", "other@openshell-example", "--rig", "openshell-example"))
                .isEqualTo(1);
        assertThat(server.bodies("POST " + GRANTS)).hasSize(1);
    }

    @Test
    void a_grant_that_holds_without_its_token_here_is_not_replaced() {
        server.on(
                "GET " + GRANTS,
                200,
                "{\"grants\":[{\"name\":\"environment-worker-one\",\"seat\":\"team-worker@openshell-example\","
                        + "\"rigs\":[\"openshell-example\"]}]}");

        assertThat(connected()).isEqualTo(1);
        assertThat(berth.err()).contains("environment-worker-one holds", "berth grant revoke --kind work");
        assertThat(server.bodies("POST " + GRANTS)).isEmpty();
    }

    @Test
    void a_refused_grant_leaves_no_file() {
        server.on("POST " + GRANTS, 403, "{\"code\":\"FORBIDDEN\",\"error\":\"Only an operator issues work grants.\"}");

        assertThat(connected()).isEqualTo(1);
        assertThat(home.resolve("environments/files/worker-one/work.json")).doesNotExist();
    }

    @Test
    void half_a_connection_is_refused_and_nothing_is_written() throws IOException {
        assertThat(setup("--binding", "worker-one")).isEqualTo(2);
        assertThat(setup("--binding", "../x", "--seat", "a@b", "--rig", "b")).isEqualTo(2);
        assertThat(setup("--binding", "x", "--seat", "a@b", "--rig", "c")).isEqualTo(2);
        assertThat(present()).isEmpty();
    }

    @Test
    void an_agent_program_is_named_with_its_digest() throws Exception {
        Path program = executable("claude", "#!/bin/sh\n");
        Path link = Files.createSymbolicLink(directory.resolve("link"), program);
        String digest = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest("#!/bin/sh\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(setup("--agent", link.toString())).isZero();
        assertThat(berth.out()).contains(program.toRealPath() + "@sha256:" + digest);
        assertThat(setup("--agent", directory.toString())).isEqualTo(1);
    }

    @Test
    void openshell_must_be_there_in_a_known_version() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("bin"));
        berth.with("PATH", folder.toString());
        assertThat(setup("--driver", "openshell")).isEqualTo(1);
        assertThat(berth.err()).contains("no openshell on PATH");

        executable("bin/openshell", "#!/bin/sh\necho 'openshell 9.9.9'\n");
        assertThat(setup("--driver", "openshell")).isEqualTo(1);
        assertThat(berth.err()).contains("answers 9.9.9", "0.1.6");
        assertThat(present()).isEmpty();

        executable("bin/openshell", "#!/bin/sh\necho 'openshell 0.1.6'\n");
        assertThat(setup("--driver", "openshell", "--json")).isZero();
        assertThat(berth.out()).contains("\"vendorVersion\":\"0.1.6\"");
        assertThat(setup("--driver", "docker")).isEqualTo(2);
    }

    @Test
    void a_directory_that_the_server_reads_needs_no_word() {
        server.on(
                "GET /api/placement/host",
                request -> Answer.json(200, "{\"environments\":{\"roots\":[\"" + directory + "\"]}}"));

        assertThat(setup()).isZero();
        assertThat(berth.out()).doesNotContain("host reload");
    }

    private Path executable(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }
}
