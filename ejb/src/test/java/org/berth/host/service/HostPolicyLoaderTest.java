package org.berth.host.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.berth.host.EnvironmentSettings;
import org.berth.host.HostPolicy;
import org.berth.host.KernelTransportSetting;
import org.berth.host.SecretSource;
import org.berth.placement.ResourceAccess;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HostPolicyLoaderTest {
    @TempDir
    Path directory;

    @Test
    void the_written_default_is_private_and_loads_to_the_default() throws Exception {
        Path file = directory.resolve("host.yaml");
        assertThat(HostPolicyFile.writeDefault(file)).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(HostPolicyLoader.load(file)).isEqualTo(HostPolicy.DEFAULT);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void a_policy_that_is_there_is_never_replaced() throws Exception {
        Path file = directory.resolve("host.yaml");
        Files.writeString(file, "placement: podman\n");
        assertThat(HostPolicyFile.writeDefault(file)).isFalse();
        assertThat(Files.readString(file)).isEqualTo("placement: podman\n");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void a_missing_directory_is_a_storage_failure() {
        assertThatThrownBy(() -> HostPolicyFile.writeDefault(directory.resolve("no/host.yaml")))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.STORAGE));
    }

    @Test
    void every_key_of_a_full_policy_is_read() {
        HostPolicy policy = HostPolicyLoader.parse("""
                placement: native
                resource_mode: host_configured
                admitted_roots: { work: { path: /srv/work, access: write } }
                path: /opt/bin:/bin
                workdir_preparers: [git-worktree, isolated-copy]
                sweep: { every: 500ms, bound: 8, reconcile_timeout: 2s }
                policies:
                  default: { driver: command, allow_host_home: true }
                  claude-batch: { driver: claude, profile: batch, model: null,
                                  environment: { ANTHROPIC_BASE_URL: "http://localhost:1" }, credentials: [key, login] }
                credentials:
                  key:   { kind: environment, destination: ANTHROPIC_API_KEY, source: { env: ANTHROPIC_API_KEY }, optional: true }
                  login: { kind: file, driver: claude, source: { file: "~/.claude/.credentials.json" } }
                references: { tokens/one: { store: berth, alias: one } }
                output: { outstanding_chunks: 256, spool: 4MiB }
                log_retention: 2h
                retention: { operations: 90d, events: 12h, evidence: 5m }
                provider_login_writeback: true
                environments: { roots: [/srv/rigs] }
                providers:
                  anthropic: { environment: { ANTHROPIC_BASE_URL: "http://localhost:1" }, credentials: [key],
                               environment_refs: { OTHER_TOKEN: tokens/one } }
                local: { engine: bubblewrap }
                openshell: { executable: /opt/openshell }
                podman: { image: "localhost/side@sha256:%s" }
                kernel_transports:
                  box: { argvPrefix: [docker, exec, "-i", box], python: /opt/venv/bin/python, command: shell,
                         pathMap: [{ sandbox: /work, host: /home/me/project }], env: [LANG] }
                  bare: { argvPrefix: [ssh] }
                """.formatted("a".repeat(64)));
        assertThat(policy)
                .isEqualTo(new HostPolicy(
                        HostPolicy.Placement.NATIVE,
                        HostPolicy.ResourceMode.HOST_CONFIGURED,
                        Map.of("work", new HostPolicy.AdmittedRoot("/srv/work", ResourceAccess.WRITE)),
                        List.of("/opt/bin", "/bin"),
                        List.of("git-worktree", "isolated-copy"),
                        new HostPolicy.Sweep(Duration.ofMillis(500), 8, Duration.ofSeconds(2)),
                        Map.of(
                                "default",
                                new HostPolicy.Policy("command", "batch", null, Map.of(), List.of(), true),
                                "claude-batch",
                                new HostPolicy.Policy(
                                        "claude",
                                        "batch",
                                        null,
                                        Map.of("ANTHROPIC_BASE_URL", "http://localhost:1"),
                                        List.of("key", "login"),
                                        false)),
                        Map.of(
                                "key",
                                new HostPolicy.Credential(
                                        HostPolicy.CredentialKind.ENVIRONMENT,
                                        "ANTHROPIC_API_KEY",
                                        null,
                                        new SecretSource.FromEnvironment("ANTHROPIC_API_KEY"),
                                        true),
                                "login",
                                new HostPolicy.Credential(
                                        HostPolicy.CredentialKind.FILE,
                                        null,
                                        "claude",
                                        new SecretSource.FromFile("~/.claude/.credentials.json"),
                                        false)),
                        Map.of("tokens/one", new SecretSource.FromCredentialStore("berth", "one")),
                        new HostPolicy.Output(256, 4_194_304),
                        Duration.ofHours(2),
                        Duration.ofMinutes(5),
                        true,
                        new EnvironmentSettings(
                                List.of("/srv/rigs"),
                                Map.of(
                                        "anthropic",
                                        new EnvironmentSettings.Provider(
                                                Map.of("ANTHROPIC_BASE_URL", "http://localhost:1"),
                                                List.of("key"),
                                                Map.of("OTHER_TOKEN", "tokens/one"))),
                                new EnvironmentSettings.Local(EnvironmentSettings.Engine.BUBBLEWRAP),
                                new EnvironmentSettings.OpenShell("/opt/openshell"),
                                new EnvironmentSettings.Podman("localhost/side@sha256:" + "a".repeat(64))),
                        new HostPolicy.Retention(Duration.ofDays(90), Duration.ofHours(12)),
                        Map.of(
                                "box",
                                new KernelTransportSetting(
                                        List.of("docker", "exec", "-i", "box"),
                                        "/opt/venv/bin/python",
                                        KernelTransportSetting.Form.SHELL,
                                        List.of(new KernelTransportSetting.SharedDirectory(
                                                "/work", "/home/me/project")),
                                        List.of("LANG")),
                                "bare",
                                new KernelTransportSetting(
                                        List.of("ssh"),
                                        "python3",
                                        KernelTransportSetting.Form.ARGV,
                                        List.of(),
                                        List.of()))));
    }

    @Test
    void a_key_that_is_absent_has_its_default() {
        assertThat(HostPolicyLoader.parse("{}")).isEqualTo(HostPolicy.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({"1s, 1000", "500000ms, 500000", "3m, 180000", "2h, 7200000", "7d, 604800000"})
    void a_duration_is_a_whole_number_and_a_unit(String text, long millis) {
        assertThat(HostPolicyLoader.parse("log_retention: " + text).logRetention())
                .isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"16384, 16384", "16384B, 16384", "64KiB, 65536", "1MiB, 1048576"})
    void a_size_is_bytes_or_has_a_unit(String text, int bytes) {
        assertThat(HostPolicyLoader.parse("output: {spool: " + text + "}")
                        .output()
                        .spoolBytes())
                .isEqualTo(bytes);
    }

    static List<Arguments> faults() {
        return List.of(
                fault("", 1, 1, "the file must be a mapping"),
                fault("- a", 1, 1, "the file must be a mapping"),
                fault("a: [", 1, 5, "not well-formed YAML"),
                fault("placement: native\n---\npath: /bin", 2, 1, "not well-formed YAML"),
                fault("placement: native\nsurprise: 1", 2, 1, "surprise is not a known key here; known are"),
                fault("sweep:\n  every: 30s\n  often: true", 3, 3, "sweep.often is not a known key"),
                fault("placement: native\nplacement: native", 2, 1, "placement is given twice"),
                fault("sweep: {bound: 1, bound: 2}", 1, 19, "sweep.bound is given twice"),
                fault("7: a", 1, 1, "must have text keys"),
                fault("<<: {path: /bin}", 1, 1, "must have text keys"),
                fault("placement: elsewhere", 1, 12, "placement must be native or podman or docker"),
                fault("kernel_transports: {box: {python: x}}", 1, 26, "kernel_transports.box must have argvPrefix"),
                fault(
                        "kernel_transports: {box: {argvPrefix: []}}",
                        1,
                        39,
                        "kernel_transports.box.argvPrefix must name the wrapper's command"),
                fault(
                        "kernel_transports: {box: {argvPrefix: [a], shell: true}}",
                        1,
                        44,
                        "kernel_transports.box.shell is not a known key"),
                fault(
                        "kernel_transports: {box: {argvPrefix: [a], command: bash}}",
                        1,
                        53,
                        "kernel_transports.box.command must be argv or shell"),
                fault(
                        "kernel_transports:\n  box:\n    argvPrefix: [a]\n    pathMap: [{sandbox: /w, host: /a/../b}]",
                        4,
                        35,
                        "must be an absolute path without . and .."),
                fault(
                        "kernel_transports:\n  box:\n    argvPrefix: [a]\n    pathMap:\n"
                                + "    - {sandbox: /w, host: /a}\n    - {sandbox: /w, host: /b}",
                        6,
                        7,
                        "names a sandbox path that another of its items has"),
                fault("kernel_transports: {box: {argvPrefix: [a], env: [A-B]}}", 1, 50, "must be a variable's name"),
                fault("placement: null", 1, 12, "placement must be native or podman or docker"),
                fault("resource_mode: [granted]", 1, 16, "resource_mode must be granted or host_configured"),
                fault(
                        "admitted_roots: {w: {path: srv, access: read}}",
                        1,
                        28,
                        "admitted_roots.w.path must be an absolute"),
                fault("admitted_roots: {w: {path: /srv}}", 1, 21, "admitted_roots.w must have access"),
                fault(
                        "admitted_roots: {w: {path: /srv, access: all}}",
                        1,
                        42,
                        "admitted_roots.w.access must be read or"),
                fault("admitted_roots: {'': {}}", 1, 18, "admitted_roots. must be 1 to 160"),
                fault("path: [/bin]", 1, 7, "path must be text"),
                fault("path: \"/bin:\"", 1, 7, "path must be absolute directories"),
                fault("path: bin", 1, 7, "path must be absolute directories"),
                fault("workdir_preparers: git-worktree", 1, 20, "workdir_preparers must be a list"),
                fault("workdir_preparers: [a, a]", 1, 24, "workdir_preparers[1] must be named once"),
                fault("sweep: {every: 30}", 1, 16, "sweep.every must be a duration such as"),
                fault("sweep: {every: 30 s}", 1, 16, "sweep.every must be a duration such as"),
                fault("sweep: {every: 1ms}", 1, 16, "sweep.every must be a duration such as"),
                fault("sweep: {every: 999999999d}", 1, 16, "sweep.every must be a duration such as"),
                fault("sweep: {bound: 0}", 1, 16, "sweep.bound must be a whole number from 1 to 10000"),
                fault("sweep: {bound: 1.5}", 1, 16, "sweep.bound must be a whole number"),
                fault("sweep: {bound: 0x10}", 1, 16, "sweep.bound must be a whole number"),
                fault("policies: {p: {}}", 1, 15, "policies.p must have driver"),
                fault("policies: {p: {driver: 1}}", 1, 24, "policies.p.driver must be text"),
                fault("policies: {p: {driver: a, allow_host_home: yes}}", 1, 44, "must be true or false"),
                fault(
                        "policies: {p: {driver: a, environment: {HOME: x}}}",
                        1,
                        41,
                        "policies.p.environment.HOME must be a"),
                fault(
                        "policies: {p: {driver: a, environment: {PORT: 1}}}",
                        1,
                        47,
                        "policies.p.environment.PORT must be text"),
                fault("policies: {p: {driver: a, credentials: [k]}}", 1, 41, "policies.p.credentials[0] must name one"),
                fault("credentials: {k: {kind: file, source: {env: A}}}", 1, 18, "credentials.k must have driver"),
                fault("credentials: {k: {kind: environment, source: {env: A}}}", 1, 18, "must have destination"),
                fault(
                        "credentials: {k: {kind: file, destination: A, driver: a, source: {env: A}}}",
                        1,
                        44,
                        "credentials.k.destination is for kind environment"),
                fault("references: {r: {}}", 1, 17, "references.r must be {env: NAME}"),
                fault("references: {r: {env: A, file: /b}}", 1, 17, "references.r must be {env: NAME}"),
                fault("references: {r: {file: b}}", 1, 24, "references.r.file must be an absolute path"),
                fault("output: {spool: 8MiB}", 1, 17, "output.spool must be a size such as"),
                fault("output: {spool: 64KB}", 1, 17, "output.spool must be a size such as"),
                fault("output: {outstanding_chunks: 257}", 1, 30, "output.outstanding_chunks must be a whole number"),
                fault("environments: {}", 1, 15, "environments must have roots"),
                fault("environments: {roots: [srv]}", 1, 24, "environments.roots[0] must be an absolute path"),
                fault("environments: {roots: [], root: []}", 1, 27, "environments.root is not a known key"),
                fault("providers: {p: {environment: {PATH: x}}}", 1, 31, "providers.p.environment.PATH must be a"),
                fault("providers: {p: {credentials: [k]}}", 1, 31, "providers.p.credentials[0] must name one"),
                fault("providers: {p: {environment_refs: {A: r}}}", 1, 39, "must name one of the references"),
                fault("""
                        providers: {p: {environment: {A: x}, credentials: [k]}}
                        credentials: {k: {kind: environment, destination: A, source: {env: A}}}
                        """, 1, 52, "providers.p.credentials[0] would set A"),
                fault("local: {engine: docker}", 1, 17, "local.engine must be auto or bubblewrap or unshare"),
                fault("openshell: {executable: bin/openshell}", 1, 25, "openshell.executable must be a name or an"),
                fault("podman: {image: latest}", 1, 17, "podman.image must end in @sha256:"),
                fault("provider_login_writeback: 1", 1, 27, "provider_login_writeback must be true or false"),
                fault("""
                        policies: {p: {driver: codex, credentials: [k]}}
                        credentials: {k: {kind: file, driver: claude, source: {env: A}}}
                        """, 1, 45, "policies.p.credentials[0] names a credential for driver claude"),
                fault("""
                        policies: {p: {driver: a, environment: {A: x}, credentials: [k]}}
                        credentials: {k: {kind: environment, destination: A, source: {env: A}}}
                        """, 1, 62, "policies.p.credentials[0] would set A"));
    }

    private static Arguments fault(String yaml, int line, int column, String rule) {
        return Arguments.of(yaml, line, column, rule);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void a_wrong_policy_is_refused_with_its_place_and_key(String yaml, int line, int column, String rule) {
        assertThatThrownBy(() -> HostPolicyLoader.parse(yaml))
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ProblemCode.INVALID);
                    assertThat(refusal.getMessage())
                            .startsWith("host policy, line " + line + ", column " + column + ": ")
                            .contains(rule);
                });
    }

    @Test
    void a_file_that_is_absent_too_large_or_not_utf8_is_refused() throws Exception {
        Path absent = directory.resolve("absent.yaml");
        refused(absent, ProblemCode.NOT_FOUND, "does not exist");
        Path large = directory.resolve("large.yaml");
        Files.write(large, new byte[1_048_577]);
        refused(large, ProblemCode.INVALID, "at most 1048576 bytes");
        Path latin = directory.resolve("latin.yaml");
        Files.write(latin, new byte[] {'a', ':', ' ', (byte) 0xfc});
        refused(latin, ProblemCode.INVALID, "must be UTF-8");
        refused(directory, ProblemCode.STORAGE, "cannot be read");
    }

    @Test
    void an_alias_that_leads_to_itself_ends_in_a_refusal() {
        assertThatThrownBy(() -> HostPolicyLoader.parse("sweep: &a {every: *a}"))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("without aliases");
    }

    private static void refused(Path file, ProblemCode code, String rule) {
        assertThatThrownBy(() -> HostPolicyLoader.load(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(rule)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @Test
    void what_is_left_out_of_retention_stays_for_ever_and_evidence_keeps_its_own_name() {
        assertThat(HostPolicyLoader.parse("retention: {}").retention()).isEqualTo(HostPolicy.Retention.FOR_EVER);
        assertThat(HostPolicyLoader.parse("{}").retention()).isEqualTo(HostPolicy.Retention.FOR_EVER);
        assertThat(HostPolicyLoader.parse("retention: { operations: 1d }").evidenceRetention())
                .isEqualTo(HostPolicy.DEFAULT.evidenceRetention());
        assertThat(HostPolicyLoader.parse("evidence_retention: 2d\nretention: { events: 1d }")
                        .evidenceRetention())
                .isEqualTo(Duration.ofDays(2));
        assertThat(HostPolicyLoader.parse("retention: { evidence: 3d }").evidenceRetention())
                .isEqualTo(Duration.ofDays(3));
        assertThatThrownBy(() -> HostPolicyLoader.parse("evidence_retention: 2d\nretention: { evidence: 3d }"))
                .hasMessageContaining("retention.evidence")
                .hasMessageContaining("evidence_retention");
        assertThatThrownBy(() -> HostPolicyLoader.parse("retention: { attempts: 3d }"))
                .hasMessageContaining("attempts is not a known key");
    }
}
