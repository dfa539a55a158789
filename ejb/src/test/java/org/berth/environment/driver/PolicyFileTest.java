package org.berth.environment.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.berth.environment.ChannelOrder;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.environment.policy.FilesystemPolicy;
import org.berth.environment.policy.NetworkEndpoint;
import org.berth.environment.policy.NetworkEndpoint.Access;
import org.berth.environment.policy.NetworkEndpoint.Enforcement;
import org.berth.environment.policy.NetworkPolicy;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {
    private static final String FULL = """
            version: 1
            filesystem_policy:
              include_workdir: true
              read_only: [/usr, /etc]
              read_write: [/sandbox/openrig, /tmp]
            landlock: { compatibility: best_effort }
            process: { run_as_user: sandbox, run_as_group: agents }
            network_policies:
              work:
                endpoints:
                  - { host: host.openshell.internal, ports: [7782, 7781, 7782], protocol: rest, access: read-write, enforcement: enforce }
                binaries: [ { path: /usr/local/bin/claude } ]
              model:
                endpoints:
                  - { host: api.example.org, port: 443, protocol: rest, access: read-only, path: /v1/messages, enforcement: audit }
                  - { host: 127.0.0.1, port: 9000, protocol: tcp }
            """;

    private static EnvironmentPolicy parse(String yaml) {
        return PolicyFile.parse(yaml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void every_key_of_a_full_file_is_read() {
        assertThat(parse(FULL))
                .isEqualTo(new EnvironmentPolicy(
                        new FilesystemPolicy(true, List.of("/usr", "/etc"), List.of("/sandbox/openrig", "/tmp")),
                        "best_effort",
                        "sandbox",
                        "agents",
                        List.of(
                                new NetworkPolicy(
                                        "work",
                                        List.of(new NetworkEndpoint(
                                                "host.openshell.internal",
                                                List.of(7782, 7781),
                                                null,
                                                "rest",
                                                Enforcement.ENFORCE,
                                                Access.READ_WRITE)),
                                        List.of("/usr/local/bin/claude")),
                                new NetworkPolicy(
                                        "model",
                                        List.of(
                                                new NetworkEndpoint(
                                                        "api.example.org",
                                                        List.of(443),
                                                        "/v1/messages",
                                                        "rest",
                                                        Enforcement.AUDIT,
                                                        Access.READ_ONLY),
                                                new NetworkEndpoint(
                                                        "127.0.0.1",
                                                        List.of(9000),
                                                        null,
                                                        "tcp",
                                                        Enforcement.ENFORCE,
                                                        null)),
                                        List.of()))));
    }

    @Test
    void the_hosts_own_name_makes_relays_and_every_other_host_a_pair_of_the_proxy() {
        EnvironmentPolicy policy = parse(FULL);
        assertThat(policy.relays()).containsExactly(7781, 7782);
        assertThat(policy.proxied())
                .containsExactly(
                        new ChannelOrder.Endpoint("api.example.org", 443),
                        new ChannelOrder.Endpoint("127.0.0.1", 9000));
    }

    @Test
    void what_hosts_and_ports_cannot_say_is_told_in_sentences() {
        assertThat(parse(FULL).beyondHostAndPort(Set.of("sandbox")))
                .containsExactly(
                        "Network policy work: every program of the environment reaches its endpoints, not only"
                                + " /usr/local/bin/claude.",
                        "Network policy work: what is sent to host.openshell.internal:7782,7781 is not inspected as rest.",
                        "Network policy model: requests to api.example.org:443 may write, its read-only access is not"
                                + " enforced.",
                        "Network policy model: requests to api.example.org:443 are not held to the path /v1/messages.",
                        "Network policy model: what is sent to api.example.org:443 is not inspected as rest.",
                        "Landlock is not used; a mount namespace bounds the file system instead.",
                        "The process runs as sandbox, not as agents.");
        assertThat(parse("version: 1").beyondHostAndPort(Set.of("sandbox"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "version: 2 | 1, column 10 | version must be a whole number from 1 to 1",
                "{} | 1, column 1 | must have version",
                "{version: 1, network: {}} | 1, column 14 | network is not a known key here",
                "{version: 1, version: 1} | 1, column 14 | version is given twice",
                "{version: 1, filesystem_policy: {read_only: [usr]}} | 1, column 46 | must be an absolute path",
                "{version: 1, filesystem_policy: {read_only: [/usr/../etc]}} | 1, column 46 | must be an absolute path",
                "{version: 1, filesystem_policy: {write: []}} | 1, column 34 | filesystem_policy.write is not a known key",
                "{version: 1, landlock: {mode: a}} | 1, column 25 | landlock.mode is not a known key",
                "{version: 1, process: {user: a}} | 1, column 24 | process.user is not a known key",
                "{version: 1, network_policies: {a: {}}} | 1, column 36 | network_policies.a must have endpoints",
                "{version: 1, network_policies: {a: {endpoints: [{host: h}]}}} | 1, column 49 | must have either port or ports",
                "{version: 1, network_policies: {a: {endpoints: [{port: 1}]}}} | 1, column 49 | must have host",
                "{version: 1, network_policies: {a: {endpoints: [{host: h, port: 0}]}}} | 1, column 65 | from 1 to 65535",
                "{version: 1, network_policies: {a: {endpoints: [{host: h, ports: []}]}}} | 1, column 66 | 1 to 1024 ports",
                "{version: 1, network_policies: {a: {endpoints: [{host: 'h/x', port: 1}]}}} | 1, column 56 | must be a host's",
                "{version: 1, network_policies: {a: {endpoints: [{host: '*', port: 1}]}}} | 1, column 56 | must be a host's",
                "{version: 1, network_policies: {a: {endpoints: [{host: h, port: 1, access: all}]}}} | 1, column 76 | read-only",
                "{version: 1, network_policies: {a: {endpoints: [], binaries: [/x]}}} | 1, column 63 | must be a mapping"
            })
    void a_wrong_file_is_refused_with_its_place_and_key(String yaml, String place, String rule) {
        assertThatThrownBy(() -> parse(yaml))
                .hasMessageStartingWith("environment policy, line " + place + ":")
                .hasMessageContaining(rule)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.ENVIRONMENT_POLICY_INVALID));
    }

    @Property
    void any_bytes_are_read_or_refused_by_the_one_code(@ForAll byte[] bytes) {
        readOrRefused(bytes);
    }

    @Property
    void any_text_below_a_known_key_is_read_or_refused_by_the_one_code(@ForAll @StringLength(max = 60) String text) {
        readOrRefused(("version: 1\nnetwork_policies: " + text).getBytes(StandardCharsets.UTF_8));
    }

    @Property
    void each_port_of_the_host_is_one_relay_in_ascending_order(
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 65_535) Integer> ports) {
        EnvironmentPolicy policy =
                parse("version: 1\nnetwork_policies: {a: {endpoints: [{host: host.openshell.internal," + " ports: "
                        + ports + "}]}}");
        assertThat(policy.relays()).isSorted().doesNotHaveDuplicates().hasSameElementsAs(ports);
        assertThat(policy.proxied()).isEmpty();
    }

    private static void readOrRefused(byte[] bytes) {
        try {
            assertThat(PolicyFile.parse(bytes)).isNotNull();
        } catch (BerthException e) {
            assertThat(e.code()).isEqualTo(ProblemCode.ENVIRONMENT_POLICY_INVALID);
        }
    }
}
