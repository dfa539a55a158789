package org.berth.environment.openshell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.Ownership;
import org.berth.environment.podman.FakeEngine;
import org.berth.environment.podman.PodmanObserver;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenShellDriverTest {
    private static final String READY =
            "{\"id\":\"immutable\",\"name\":\"worker-one\",\"workspace\":\"workspace\",\"phase\":\"Ready\",\"labels\":{}}";
    private static final byte[] POLICY = "version: 1\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    private RecordedCommands commands;

    @Test
    void readsTheLabelsOfThePinnedListingAndTakesAFurtherPageForIncomplete() {
        OpenShellDriver driver = driver(argv -> "{\"next_page_token\":\"second\",\"sandboxes\":[{\"id\":\"immutable\","
                + "\"name\":\"worker-one\",\"workspace\":\"workspace\",\"phase\":\"Ready\",\"host_key_fingerprint\":"
                + "\"fingerprint\",\"labels\":{\"openrigoperation\":\"effect-one\"}}]}");

        assertThat(driver.list(placement()))
                .isEqualTo(new EnvironmentListing(
                        false,
                        List.of(new EnvironmentResource(
                                "immutable", "worker-one", "workspace", "Ready", "fingerprint", "effect-one"))));
        assertThat(commands.asked())
                .containsExactly(List.of(
                        "--gateway",
                        "gateway",
                        "--workspace",
                        "workspace",
                        "sandbox",
                        "list",
                        "--output",
                        "json",
                        "--page-size",
                        "100"));
    }

    @Test
    void refusesAListingWithoutATokenOfTheNextPage() {
        OpenShellDriver driver = driver(argv -> "{\"sandboxes\":[]}");

        refused(() -> driver.list(placement()), ProblemCode.OPENSHELL_LISTING_INVALID);
    }

    @Test
    void refusesAnAnswerWithoutAWholeIdentity() {
        OpenShellDriver driver = driver(argv -> "{\"id\":\"immutable\",\"name\":\"worker-one\"}");

        refused(() -> driver.inspect(binding()), ProblemCode.OPENSHELL_RESPONSE_INVALID);
    }

    @Test
    void refusesAChangedPolicyBeforeAnyCommand() {
        OpenShellDriver driver = driver(argv -> READY);

        refused(
                () -> driver.create("effect-one", placement().withPolicySha256("0".repeat(64))),
                ProblemCode.ENVIRONMENT_POLICY_CHANGED);
        assertThat(commands.asked()).isEmpty();
    }

    @Test
    void createsWithTheExactArgumentsAndAPrivateCopyOfThePolicy() {
        OpenShellDriver driver = driver(argv -> {
            Path policy = Path.of(argv.get(argv.indexOf("--policy") + 1));
            assertThat(policy).hasBinaryContent(POLICY);
            return READY.replace("\"labels\":{}", "\"labels\":{\"openrigoperation\":\"effect-one\"}");
        });

        assertThat(driver.create("effect-one", placement()).operationId()).isEqualTo("effect-one");
        List<String> asked = commands.asked().getFirst();
        int policy = asked.indexOf("--policy") + 1;
        assertThat(asked.subList(0, policy))
                .containsExactly(
                        "--gateway",
                        "gateway",
                        "--workspace",
                        "workspace",
                        "sandbox",
                        "create",
                        "--name",
                        "worker-one",
                        "--from",
                        placement().image(),
                        "--provider",
                        "provider",
                        "--no-auto-providers",
                        "--cpu",
                        "1",
                        "--memory",
                        "2Gi",
                        "--policy");
        assertThat(asked.subList(policy + 1, asked.size()))
                .containsExactly(
                        "--label",
                        "openrigoperation=effect-one",
                        "--tty",
                        "--detach",
                        "--restart-policy",
                        "never",
                        "--output",
                        "json",
                        "--",
                        "python3",
                        "/opt/openrig/guest.py");
        assertThat(Path.of(asked.get(policy))).doesNotExist();
    }

    @Test
    void keepsTheHelpersRefusalOfAMissingFile() {
        OpenShellDriver driver =
                driver(argv -> argv.contains("get") ? READY : "{\"ok\":false,\"code\":\"environment_file_missing\"}");

        refused(() -> driver.read(binding(), "/sandbox/openrig/work/role.md"), ProblemCode.ENVIRONMENT_FILE_MISSING);
    }

    @Test
    void refusesMoreThanOneMebibyteWhateverTheHelperSaid() {
        String text = Base64.getEncoder().encodeToString(new byte[EnvironmentRules.FILE_BYTES + 1]);
        OpenShellDriver driver =
                driver(argv -> argv.contains("get") ? READY : "{\"ok\":true,\"base64\":\"" + text + "\"}");

        refused(
                () -> driver.read(binding(), "/sandbox/openrig/work/artifacts/report.json"),
                ProblemCode.ENVIRONMENT_FILE_INVALID);
        assertThat(commands.asked("download")).isEmpty();
    }

    @Test
    void readsOneBoundedFileThroughTheHelper() {
        String text = Base64.getEncoder().encodeToString("{\"ok\":true}".getBytes(StandardCharsets.UTF_8));
        OpenShellDriver driver =
                driver(argv -> argv.contains("get") ? READY : "{\"ok\":true,\"base64\":\"" + text + "\"}");

        assertThat(driver.read(binding(), "/sandbox/openrig/work/artifacts/report.json"))
                .asString()
                .isEqualTo("{\"ok\":true}");
        assertThat(commands.asked("exec"))
                .containsExactly(List.of(
                        "--gateway",
                        "gateway",
                        "--workspace",
                        "workspace",
                        "sandbox",
                        "exec",
                        "worker-one",
                        "--no-login-shell",
                        "--timeout",
                        "20",
                        "--",
                        "python3",
                        "/opt/openrig/guest.py",
                        "--root",
                        "/sandbox/openrig",
                        "--read",
                        "/sandbox/openrig/work/artifacts/report.json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pending", "Error", "Ready"})
    void stopsExactlyOnceWhateverTheLivePhase(String phase) {
        OpenShellDriver driver = driver(argv -> READY.replace("Ready", phase));

        driver.stopCompute(binding(), "effect-stop", () -> true);

        assertThat(commands.asked("stop")).hasSize(1);
    }

    @Test
    void asksForPermissionAgainAfterItsOwnLookAtTheIdentity() {
        AtomicBoolean eligible = new AtomicBoolean(true);
        OpenShellDriver driver = driver(argv -> {
            eligible.set(false);
            return READY;
        });

        refused(
                () -> driver.stopCompute(binding(), "effect-stop", eligible::get),
                ProblemCode.ENVIRONMENT_SELECTION_CHANGED);
        assertThat(commands.asked("stop")).isEmpty();
    }

    @Test
    void touchesNoSandboxThatTookOverTheName() {
        OpenShellDriver driver = driver(argv -> READY.replace("immutable", "another"));

        refused(
                () -> driver.deleteEnvironment(binding(), "effect-delete", () -> true),
                ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
        assertThat(commands.asked("delete")).isEmpty();
    }

    @Test
    void runsNoGuestCommandUnlessReady() {
        OpenShellDriver driver = driver(argv -> READY.replace("Ready", "Provisioning"));

        refused(() -> driver.prepare(binding()), ProblemCode.ENVIRONMENT_NOT_READY);
        assertThat(commands.asked("exec")).isEmpty();
    }

    @Test
    void refusesAVersionThatItDoesNotKnowAndNamesTheKnown() {
        assertThatThrownBy(() -> OpenShellVersion.of("openshell 9.9.9"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        e -> assertThat(e.code()).isEqualTo(ProblemCode.OPENSHELL_VERSION_UNSUPPORTED))
                .hasMessageContaining("9.9.9")
                .hasMessageContaining("0.1.6 and 0.0.111");
    }

    @Test
    void capturesTheIdentitiesOfACleanupAfterComputeIsStopped() throws Exception {
        String workload = "a".repeat(64);
        String supervisor = "b".repeat(64);
        try (FakeEngine engine = new FakeEngine(directory.toRealPath().resolve("engine.sock"))) {
            engine.json(
                    "GET containers/json?all=true",
                    200,
                    "[{\"Id\":\"" + workload + "\",\"Names\":[\"w\"],\"Labels\":{\"openshell.managed\":\"true\","
                            + "\"openshell.ai/sandbox-id\":\"immutable\",\"openshell.ai/isolation-role\":\"sandbox\","
                            + "\"openshell.ai/sandbox-workspace\":\"workspace\"}},{\"Id\":\"" + supervisor
                            + "\",\"Names\":[\"openshell-supervisor-immutable\"],\"Labels\":{}}]");
            String mounts = "[{\"Type\":\"volume\",\"Name\":\"openshell-sandbox-immutable-workspace\"},"
                    + "{\"Type\":\"volume\",\"Name\":\"openshell-control-immutable\"},"
                    + "{\"Type\":\"volume\",\"Name\":\"openshell-channel-immutable\"}]";
            for (String each : List.of(workload, supervisor)) {
                engine.json(
                        "GET containers/" + each + "/json", 200, "{\"Id\":\"" + each + "\",\"Mounts\":" + mounts + "}");
            }
            OpenShellDriver driver = driver(
                    new PodmanObserver(engine.ordinaryOwner(), "host"), argv -> READY.replace("Ready", "Stopped"));

            String inventory = driver.captureCleanup(binding(), engine.socket().toString());

            assertThat(inventory).contains(workload, supervisor, "\"resourceId\":\"immutable\"");
            engine.json("GET containers/json?all=true", 200, "[]");
            assertThat(driver.cleanupState(binding(), inventory).absent()).isTrue();
            refused(() -> driver.captureCleanup(binding(), null), ProblemCode.ENVIRONMENT_ENGINE_REQUIRED);
        }
    }

    @Test
    void theNewerCommandListsABareArrayByOffset() {
        assertThat(OpenShellVersion.of("openshell-cli 0.0.111 (abc)").list())
                .containsExactly("list", "--output", "json", "--limit", "100", "--offset", "0");
        assertThat(OpenShellAnswers.listing(("[" + READY + "]").getBytes(StandardCharsets.UTF_8))
                        .complete())
                .isTrue();
        String whole = String.join(",", java.util.Collections.nCopies(100, READY));
        assertThat(OpenShellAnswers.listing(("[" + whole + "]").getBytes(StandardCharsets.UTF_8))
                        .complete())
                .isFalse();
    }

    private OpenShellDriver driver(Function<List<String>, String> answers) {
        return driver(new PodmanObserver(1, "host"), answers);
    }

    private OpenShellDriver driver(PodmanObserver observer, Function<List<String>, String> answers) {
        commands = new RecordedCommands(answers);
        return new OpenShellDriver(
                new OpenShellCommand(commands, () -> "/usr/bin/openshell", Map::of),
                path -> POLICY,
                directory,
                observer);
    }

    private static EnvironmentPlacement placement() {
        return new EnvironmentPlacement(
                "gateway",
                "workspace",
                "worker-one",
                "image@sha256:" + "a".repeat(64),
                "provider",
                "/policy.yaml",
                CanonicalJson.sha256(POLICY));
    }

    private static EnvironmentBinding binding() {
        return new EnvironmentBinding(
                new EnvironmentConfig(
                        "binding-one",
                        null,
                        "worker@team",
                        null,
                        null,
                        "claude-code",
                        "/sandbox/openrig",
                        "http://guest.test:7782",
                        placement()),
                Ownership.OWNED,
                new EnvironmentResource("immutable", "worker-one", "workspace", "Ready", null, null),
                null);
    }

    private static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
