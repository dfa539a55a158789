package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.credential.service.CredentialBroker;
import org.berth.driver.DriverDefinition;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.Credential;
import org.berth.host.HostPolicy.CredentialKind;
import org.berth.host.SecretSource;
import org.berth.host.service.SecretReader;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class LaunchEnvironmentTest {
    private static final String CANARY = "canary-4711-secret";
    private static final Path HOME = Path.of("/private/home");
    private static final DriverDefinition DRIVER = new DriverDefinition(
            "agent",
            "1",
            "agent",
            Map.of(),
            new LinkedHashMap<>(Map.of("AGENT_HOME", ".agent", "AGENT_ROOT", "")),
            null,
            List.of(),
            List.of(),
            Set.of());

    private final Map<String, String> server = new HashMap<>();
    private final LaunchEnvironment environment;

    LaunchEnvironmentTest() {
        SecretReader secrets = new SecretReader(Path.of("/none"), server::get);
        environment = new LaunchEnvironment(secrets, new CredentialBroker(secrets));
    }

    private static HostPolicy host(String... destinations) {
        Map<String, Credential> credentials = new LinkedHashMap<>();
        for (String destination : destinations) {
            credentials.put(
                    "key-" + destination,
                    new Credential(
                            CredentialKind.ENVIRONMENT,
                            destination,
                            null,
                            new SecretSource.FromEnvironment("SOURCE_OF_" + destination),
                            true));
        }
        HostPolicy base = HostPolicy.DEFAULT;
        return new HostPolicy(
                base.placement(),
                base.resourceMode(),
                base.admittedRoots(),
                List.of("/usr/bin", "/bin"),
                base.workdirPreparers(),
                base.sweep(),
                Map.of(
                        "p",
                        new HostPolicy.Policy(
                                "agent",
                                "batch",
                                null,
                                Map.of("POLICY", "1"),
                                List.copyOf(credentials.keySet()),
                                false)),
                credentials,
                Map.of("token", new SecretSource.FromEnvironment("TOKEN")),
                base.output(),
                base.logRetention(),
                base.evidenceRetention(),
                base.providerLoginWriteback(),
                base.environments(),
                base.retention(),
                base.kernelTransports());
    }

    private static PrepareRequest request(Map<String, Object> changes) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (String name :
                List.of("idempotency_key", "owner_id", "action_id", "attempt_id", "binding_ref", "profile_id")) {
            tree.put(name, "x");
        }
        tree.put("policy_ref", "p");
        tree.put("owner_incarnation", 1L);
        tree.put("binding_digest", "0".repeat(64));
        tree.put("profile_digest", "0".repeat(64));
        tree.put("launch", Map.of("executable", "agent"));
        tree.putAll(changes);
        return PrepareRequestDecoder.decode(tree);
    }

    private void refused(HostPolicy host, PrepareRequest request, ProblemCode code, String sentence) {
        assertThatThrownBy(() -> environment.of(host, request, HOME, DRIVER))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessageContaining(sentence)
                .hasMessageNotContaining(CANARY);
    }

    @Test
    void the_child_gets_exactly_what_was_admitted_and_the_homes_variables() {
        server.put("SOURCE_OF_KEY", CANARY);
        server.put("TOKEN", "t");
        PrepareRequest request = request(Map.of(
                "environment", Map.of("A", "1"),
                "environment_refs", Map.of("B", "token"),
                "projections", List.of("key-KEY", "key-ABSENT")));
        assertThat(environment.of(host("KEY", "ABSENT", "UNASKED"), request, HOME, DRIVER))
                .isEqualTo(Map.of(
                        "POLICY", "1",
                        "A", "1",
                        "B", "t",
                        "KEY", CANARY,
                        "HOME", "/private/home",
                        "AGENT_HOME", "/private/home/.agent",
                        "AGENT_ROOT", "/private/home",
                        "PATH", "/usr/bin:/bin"));
        assertThat(environment.of(host("KEY"), request(Map.of()), HOME, null))
                .containsOnlyKeys("POLICY", "HOME", "PATH");
    }

    @Test
    void a_collision_is_found_again_before_the_child_starts() {
        server.put("SOURCE_OF_A", CANARY);
        server.put("SOURCE_OF_POLICY", CANARY);
        server.put("SOURCE_OF_AGENT_HOME", CANARY);
        refused(
                host("A"),
                request(Map.of("environment", Map.of("A", CANARY), "projections", List.of("key-A"))),
                ProblemCode.CONFLICT,
                "the variable A");
        refused(host("POLICY"), request(Map.of("projections", List.of("key-POLICY"))), ProblemCode.CONFLICT, "POLICY");
        refused(
                host("AGENT_HOME"),
                request(Map.of("projections", List.of("key-AGENT_HOME"))),
                ProblemCode.CONFLICT,
                "AGENT_HOME");
    }

    @Test
    void a_policy_that_is_gone_is_refused() {
        refused(HostPolicy.DEFAULT, request(Map.of()), ProblemCode.DENIED, "no longer names a policy");
    }

    @Test
    void what_references_and_projections_hold_counts_for_the_bound() {
        List<String> names = List.of("A", "B", "C", "D", "E");
        names.forEach(
                name -> server.put("SOURCE_OF_" + name, CANARY.substring(0, 16).repeat(1000)));
        HostPolicy host = host(names.toArray(String[]::new));
        List<String> projections = names.stream().map(name -> "key-" + name).toList();
        assertThat(environment.of(host, request(Map.of("projections", projections.subList(0, 4))), HOME, null))
                .containsKeys("A", "D");
        refused(host, request(Map.of("projections", projections)), ProblemCode.INVALID, "at most 65536 bytes");
    }
}
